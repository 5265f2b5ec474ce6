//! The workloads on a UmaDB server.

use peers::{
    COURSES, OF_COURSE, OF_STUDENT, SEATS, STUDENTS, STUDENTS_OF_COURSE, Stored, arguments, measure, random, stored,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use umadb_client::{AsyncUmaDbClient, UmaDbClient};
use umadb_dcb::{
    DcbAppendCondition, DcbError, DcbEvent, DcbEventStoreAsync, DcbQuery, DcbQueryItem, DcbSequencedEvent,
};
use uuid::Uuid;

// Each field is decoded, also those that nothing reads.
#[allow(dead_code)]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CourseDefined {
    course_id: String,
    title: String,
    capacity: usize,
}

#[allow(dead_code)]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StudentRegistered {
    student_id: String,
    name: String,
}

#[allow(dead_code)]
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StudentEnrolledInCourse {
    course_id: String,
    student_id: String,
}

#[allow(dead_code)]
enum DomainEvent {
    Defined(CourseDefined),
    Registered(StudentRegistered),
    Enrolled(StudentEnrolledInCourse),
}

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
        let seats = students(&events, course);
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
    let course = random(COURSES);
    let query = DcbQuery::new().item(DcbQueryItem::new().tags([course_tag(course)]));
    let (events, _) = client.read_with_head(Some(query), None, false, None).await.expect("read");
    assert_eq!(students(&events, course), STUDENTS_OF_COURSE);
}

/// The students of a course among events, each of which is decoded to its type.
fn students(events: &[DcbSequencedEvent], course: usize) -> usize {
    let course = format!("course-{course}");
    let decoded = events.iter().map(|found| decoded(&found.event));
    decoded.filter(|event| matches!(event, DomainEvent::Enrolled(enrolled) if enrolled.course_id == course)).count()
}

fn decoded(event: &DcbEvent) -> DomainEvent {
    match event.event_type.as_str() {
        "CourseDefined" => DomainEvent::Defined(from_json(event)),
        "StudentRegistered" => DomainEvent::Registered(from_json(event)),
        "StudentEnrolledInCourse" => DomainEvent::Enrolled(from_json(event)),
        other => panic!("no event {other}"),
    }
}

fn from_json<E: DeserializeOwned>(event: &DcbEvent) -> E {
    serde_json::from_slice(&event.data).expect("JSON of the event")
}
