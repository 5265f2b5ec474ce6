//! What the clients share: the events that a store contains before, and the callers.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub const COURSES: usize = 5_000;
pub const STUDENTS: usize = 50_000;
const COURSES_OF_STUDENT: usize = 5;
pub const STUDENTS_OF_COURSE: usize = 50;
pub const SEATS: usize = 100;

/// Events of a course, which is defined and has 50 students, and of a student, who is registered and in 5 courses.
pub const OF_COURSE: usize = 1 + STUDENTS_OF_COURSE;
pub const OF_STUDENT: usize = 1 + COURSES_OF_STUDENT;

/// One event before the load.
pub enum Stored {
    Defined(usize),
    Registered(usize),
    Enrolled { student: usize, course: usize },
}

/// The 305,000 events before the load.
pub fn stored() -> Vec<Stored> {
    let mut all: Vec<Stored> = (0..COURSES).map(Stored::Defined).collect();
    all.extend((0..STUDENTS).map(Stored::Registered));
    for student in 0..STUDENTS {
        for nth in 0..COURSES_OF_STUDENT {
            let course = (student + nth * 97) % COURSES;
            all.push(Stored::Enrolled { student, course });
        }
    }
    all
}

pub fn random(below: usize) -> usize {
    (uuid::Uuid::new_v4().as_u128() % below as u128) as usize
}

/// What a program is to do: load the events into an empty store, or call it. Times are in seconds.
pub struct Arguments {
    pub address: String,
    pub workload: String,
    pub callers: usize,
    warm_up: u64,
    measured: u64,
}

/// `ADDRESS load`, or `ADDRESS WORKLOAD CALLERS MEASURED WARM_UP`.
pub fn arguments() -> Arguments {
    let given: Vec<String> = std::env::args().collect();
    let number = |at: usize| given.get(at).map_or(0, |text| text.parse().expect("a number"));
    Arguments {
        address: given[1].clone(),
        workload: given[2].clone(),
        callers: number(3) as usize,
        measured: number(4),
        warm_up: number(5),
    }
}

/// Prints the calls a second of several callers, one for each client, after a warm-up. Each calls again at once. A failed
/// call panics, which ends the program.
pub async fn measure<C, F, R>(arguments: &Arguments, clients: Vec<Arc<C>>, call: F)
where
    C: Send + Sync + 'static,
    F: Fn(Arc<C>) -> R + Copy + Send + 'static,
    R: Future<Output = ()> + Send,
{
    let done = Arc::new(AtomicU64::new(0));
    for client in clients {
        let done = done.clone();
        tokio::spawn(async move {
            loop {
                call(client.clone()).await;
                done.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    tokio::time::sleep(Duration::from_secs(arguments.warm_up)).await;
    let (before, started) = (done.load(Ordering::Relaxed), Instant::now());
    tokio::time::sleep(Duration::from_secs(arguments.measured)).await;
    let calls = done.load(Ordering::Relaxed) - before;
    println!("{:.0}", calls as f64 / started.elapsed().as_secs_f64());
    // Callers that still wait for an answer end with the program.
    std::process::exit(0);
}
