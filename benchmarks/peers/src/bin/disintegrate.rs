//! The workloads on disintegrate's store in PostgreSQL.

use disintegrate::serde::json::Json;
use disintegrate::{Event, EventStore, StreamItem, StreamQuery, query};
use disintegrate_postgres::{Error, PgEventId, PgEventStore};
use futures::StreamExt;
use peers::{
    COURSES, OF_COURSE, OF_STUDENT, SEATS, STUDENTS, STUDENTS_OF_COURSE, Stored, arguments, measure, random, stored,
};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;
use std::sync::Arc;
use uuid::Uuid;

// A query of a stream finds, of the stream's events, those that have the identifier or lack such a field. Hence the streams
// name the events that have it.
#[derive(Debug, Clone, PartialEq, Eq, Event, Serialize, Deserialize)]
#[stream(UserEvent, [UserCreated])]
#[stream(CourseEvent, [CourseDefined, StudentEnrolledInCourse])]
#[stream(StudentEvent, [StudentRegistered, StudentEnrolledInCourse])]
enum DomainEvent {
    CourseDefined {
        #[id]
        course_id: String,
        title: String,
        capacity: usize,
    },
    StudentRegistered {
        #[id]
        student_id: String,
        name: String,
    },
    StudentEnrolledInCourse {
        #[id]
        course_id: String,
        #[id]
        student_id: String,
    },
    UserCreated {
        #[id]
        user_id: String,
    },
}

type Store = PgEventStore<DomainEvent, Json<DomainEvent>>;

#[tokio::main]
async fn main() {
    let arguments = arguments();
    let options: PgConnectOptions = arguments.address.parse().expect("an address");
    let password = std::env::var("PEERS_PASSWORD").unwrap_or_default();
    let pool = PgPool::connect_with(options.password(&password)).await.expect("connected");
    let store = Arc::new(Store::new_uninitialized(pool.clone(), Json::default()));
    let clients = vec![store; arguments.callers];
    match arguments.workload.as_str() {
        "load" => load(&Store::try_new(pool, Json::default()).await.expect("created")).await,
        "append" => measure(&arguments, clients, append).await,
        "append-unless-exists" => measure(&arguments, clients, append_unless_exists).await,
        "decide" => measure(&arguments, clients, decide).await,
        "fold" => measure(&arguments, clients, fold).await,
        other => panic!("no workload {other}"),
    }
}

async fn load(store: &Store) {
    let events: Vec<DomainEvent> = stored().iter().map(event).collect();
    for batch in events.chunks(1_000) {
        store.append_without_validation(batch.to_vec()).await.expect("appended");
    }
}

fn event(of: &Stored) -> DomainEvent {
    match of {
        Stored::Defined(course) => DomainEvent::CourseDefined {
            course_id: course_id(*course),
            title: format!("Course {course}"),
            capacity: SEATS,
        },
        Stored::Registered(student) => {
            DomainEvent::StudentRegistered { student_id: student_id(*student), name: format!("Student {student}") }
        }
        Stored::Enrolled { student, course } => enrolled(*student, *course),
    }
}

fn enrolled(student: usize, course: usize) -> DomainEvent {
    DomainEvent::StudentEnrolledInCourse { course_id: course_id(course), student_id: student_id(student) }
}

fn course_id(course: usize) -> String {
    format!("course-{course}")
}

fn student_id(student: usize) -> String {
    format!("student-{student}")
}

async fn append(store: Arc<Store>) {
    let event = DomainEvent::UserCreated { user_id: Uuid::new_v4().to_string() };
    store.append_without_validation(vec![event]).await.expect("appended");
}

async fn append_unless_exists(store: Arc<Store>) {
    let user_id = Uuid::new_v4().to_string();
    loop {
        let none: StreamQuery<PgEventId, UserEvent> = query!(UserEvent; user_id == user_id);
        let event = DomainEvent::UserCreated { user_id: user_id.clone() };
        if succeeds(store.append(vec![event], none, 0).await) {
            return;
        }
    }
}

/// Reads a course and a student, decides on an enrollment, and appends it unless there are newer events; then again.
async fn decide(store: Arc<Store>) {
    let (student, course) = (random(STUDENTS), random(COURSES));
    let (student_id, course_id) = (student_id(student), course_id(course));
    loop {
        let of_course: StreamQuery<PgEventId, CourseEvent> = query!(CourseEvent; course_id == course_id);
        let of_student: StreamQuery<PgEventId, StudentEvent> = query!(StudentEvent; student_id == student_id);
        let both: StreamQuery<PgEventId, DomainEvent> = of_course.union(&of_student);
        let (events, version) = read(&store, &both).await;
        assert!(events.len() + 1 >= OF_COURSE + OF_STUDENT, "{} events", events.len());
        let seats = events.iter().filter(|event| is_in(event, &course_id)).count();
        assert!(seats < SEATS, "the course is full");
        if succeeds(store.append(vec![enrolled(student, course)], both, version).await) {
            return;
        }
    }
}

async fn fold(store: Arc<Store>) {
    let course_id = course_id(random(COURSES));
    let of_course: StreamQuery<PgEventId, CourseEvent> = query!(CourseEvent; course_id == course_id);
    let (events, _) = read(&store, &of_course.cast()).await;
    let seats = events.iter().filter(|event| is_in(event, &course_id)).count();
    assert_eq!(seats, STUDENTS_OF_COURSE);
}

fn is_in(event: &DomainEvent, course: &str) -> bool {
    matches!(event, DomainEvent::StudentEnrolledInCourse { course_id, .. } if course_id == course)
}

async fn read(store: &Store, query: &StreamQuery<PgEventId, DomainEvent>) -> (Vec<DomainEvent>, PgEventId) {
    let mut events = Vec::new();
    let mut version = 0;
    let mut found = store.stream(query);
    while let Some(item) = found.next().await {
        match item.expect("read") {
            StreamItem::Event(event) => events.push(event.into_inner()),
            StreamItem::End(end) => version = end,
        }
    }
    (events, version)
}

/// False after a conflict, which PostgreSQL also reports for transactions that it cannot serialize.
fn succeeds<T>(result: Result<T, Error>) -> bool {
    match result {
        Ok(_) => true,
        Err(Error::Concurrency) => false,
        Err(Error::Database(sqlx::Error::Database(failure))) if failure.code().as_deref() == Some("40001") => false,
        Err(failure) => panic!("{failure}"),
    }
}
