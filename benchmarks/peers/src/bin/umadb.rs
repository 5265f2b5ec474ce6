//! The workloads on a UmaDB server.

use peers::{COURSES, OF_COURSE, OF_STUDENT, SEATS, STUDENTS, Stored, arguments, measure, random, stored};
use std::sync::Arc;
use umadb_client::{AsyncUmaDbClient, UmaDbClient};
use umadb_dcb::{DcbAppendCondition, DcbError, DcbEvent, DcbEventStoreAsync, DcbQuery, DcbQueryItem};
use uuid::Uuid;

#[tokio::main]
async fn main() {
    let arguments = arguments();
    let mut clients = Vec::new();
    for _ in 0..arguments.callers.max(1) {
        clients.push(connect(&arguments.address).await);
    }
    match arguments.workload.as_str() {
        "load" => load(&clients[0]).await,
        "append" => measure(&arguments, clients, append).await,
        "append-unless-exists" => measure(&arguments, clients, append_unless_exists).await,
        "decide" => measure(&arguments, clients, decide).await,
        "fold" => measure(&arguments, clients, fold).await,
        other => panic!("no workload {other}"),
    }
}

async fn load(client: &AsyncUmaDbClient) {
    let events: Vec<DcbEvent> = stored().iter().map(event).collect();
    for batch in events.chunks(1_000) {
        client.append(batch.to_vec(), None, None).await.expect("appended");
    }
}

async fn connect(url: &str) -> Arc<AsyncUmaDbClient> {
    Arc::new(UmaDbClient::new(url.to_string()).connect_async().await.expect("connected"))
}

fn event(of: &Stored) -> DcbEvent {
    match of {
        Stored::Defined(course) => new(
            "CourseDefined",
            vec![course_tag(*course)],
            format!(r#"{{"courseId": "course-{course}", "title": "Course {course}", "capacity": {SEATS}}}"#),
        ),
        Stored::Registered(student) => new(
            "StudentRegistered",
            vec![student_tag(*student)],
            format!(r#"{{"studentId": "student-{student}", "name": "Student {student}"}}"#),
        ),
        Stored::Enrolled { student, course } => enrolled(*student, *course),
    }
}

fn enrolled(student: usize, course: usize) -> DcbEvent {
    new(
        "StudentEnrolledInCourse",
        vec![student_tag(student), course_tag(course)],
        format!(r#"{{"courseId": "course-{course}", "studentId": "student-{student}"}}"#),
    )
}

fn new(name: &str, tags: Vec<String>, data: String) -> DcbEvent {
    DcbEvent::default().event_type(name).tags(tags).data(data.into_bytes()).uuid(Uuid::new_v4())
}

fn course_tag(course: usize) -> String {
    format!("course:course-{course}")
}

fn student_tag(student: usize) -> String {
    format!("student:student-{student}")
}

async fn append(client: Arc<AsyncUmaDbClient>) {
    let event = new("UserCreated", vec![format!("user:{}", Uuid::new_v4())], "{}".to_string());
    client.append(vec![event], None, None).await.expect("appended");
}

async fn append_unless_exists(client: Arc<AsyncUmaDbClient>) {
    let tag = format!("user:{}", Uuid::new_v4());
    let none = DcbAppendCondition {
        fail_if_events_match: DcbQuery::new().item(DcbQueryItem::new().types(["UserCreated"]).tags([tag.clone()])),
        after: None,
    };
    let event = new("UserCreated", vec![tag], "{}".to_string());
    client.append(vec![event], Some(none), None).await.expect("appended");
}

/// Reads a course and a student, decides on an enrollment, and appends it unless there are newer events; then again.
async fn decide(client: Arc<AsyncUmaDbClient>) {
    let (student, course) = (random(STUDENTS), random(COURSES));
    let query = DcbQuery::new()
        .item(DcbQueryItem::new().tags([course_tag(course)]))
        .item(DcbQueryItem::new().tags([student_tag(student)]));
    loop {
        let (events, head) = client.read_with_head(Some(query.clone()), None, false, None).await.expect("read");
        assert!(events.len() + 1 >= OF_COURSE + OF_STUDENT, "{} events", events.len());
        let tag = course_tag(course);
        let seats = events.iter().filter(|found| found.event.tags.contains(&tag)).count() - 1;
        assert!(seats < SEATS, "the course is full");
        let unchanged = DcbAppendCondition { fail_if_events_match: query.clone(), after: head };
        match client.append(vec![enrolled(student, course)], Some(unchanged), None).await {
            Ok(_) => return,
            Err(DcbError::IntegrityError(_)) => {}
            Err(failure) => panic!("{failure:?}"),
        }
    }
}

async fn fold(client: Arc<AsyncUmaDbClient>) {
    let course = DcbQuery::new().item(DcbQueryItem::new().tags([course_tag(random(COURSES))]));
    let (events, _) = client.read_with_head(Some(course), None, false, None).await.expect("read");
    let seats = events.iter().filter(|found| found.event.event_type == "StudentEnrolledInCourse").count();
    assert!(seats + 1 >= OF_COURSE, "{seats} students");
}
