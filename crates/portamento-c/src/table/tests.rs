use super::*;
#[cfg(not(loom))]
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
#[cfg(not(loom))]
use std::sync::{Arc, Barrier};

#[cfg(not(loom))]
#[test]
fn every_index_has_a_place_of_its_own() {
    let mut expected = (0, 0);
    for index in 0..5000 {
        assert_eq!(place(index), expected, "{index}");
        expected.1 += 1;
        if expected.1 == length(expected.0) {
            expected = (expected.0 + 1, 0);
        }
    }
    assert_eq!(place(CAPACITY - 1), (SEGMENTS - 1, length(SEGMENTS - 1) - 1));
}

#[cfg(not(loom))]
#[test]
fn a_handle_names_its_object_until_it_is_freed_and_nothing_after() {
    let table = Table::new(7);
    let handles: Vec<u64> = (0..1000).map(|n| table.insert(n).unwrap()).collect();
    for (n, &handle) in handles.iter().enumerate() {
        assert_eq!(table.with(handle, |value| *value), Ok(n));
    }
    for &handle in handles.iter().step_by(2) {
        assert!(table.remove(handle).is_ok());
        assert_eq!(table.remove(handle), Err(Refusal::Unknown));
    }
    let again: Vec<u64> = (0..500).map(|n| table.insert(n + 5000).unwrap()).collect();
    assert!(again.iter().all(|handle| !handles.contains(handle)), "a number never means two objects");
    assert!(handles.iter().step_by(2).all(|&old| table.with(old, |_| ()) == Err(Refusal::Unknown)));
    assert!(handles.iter().skip(1).step_by(2).all(|&old| table.with(old, |_| ()).is_ok()));
}

#[cfg(not(loom))]
#[test]
fn numbers_that_are_no_handles_are_refused() {
    let (table, other) = (Table::new(7), Table::new(8));
    let (ours, foreign) = (table.insert(1).unwrap(), other.insert(2).unwrap());
    let mut numbers = vec![0, 1, u64::MAX, foreign, ours ^ 1, ours ^ 1 << 24, ours ^ 1 << 32, ours ^ 1 << 63];
    let mut seed = 1u64;
    for _ in 0..100_000 {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        numbers.push(seed);
    }
    for number in numbers {
        assert_eq!(table.with(number, |_| ()), Err(Refusal::Unknown), "{number:#x}");
        assert_eq!(table.remove(number), Err(Refusal::Unknown), "{number:#x}");
    }
    assert_eq!(table.with(ours, |value| *value), Ok(1));
}

#[cfg(not(loom))]
#[test]
fn an_object_that_is_in_use_is_busy_also_for_the_call_that_uses_it() {
    let table = Table::new(1);
    let handle = table.insert(5).unwrap();
    let inside = table.with(handle, |_| (table.with(handle, |_| ()), table.remove(handle)));
    assert_eq!(inside, Ok((Err(Refusal::Busy), Err(Refusal::Busy))));
    let panicked = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| {
        let _ = table.with(handle, |_| panic!("on purpose"));
    }));
    assert!(panicked.is_err());
    assert_eq!(table.with(handle, |value| *value), Ok(5), "a panic leaves it usable");
}

/// Counts how often it was dropped.
#[cfg(not(loom))]
struct Counted(Arc<AtomicUsize>);

#[cfg(not(loom))]
impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

#[cfg(not(loom))]
#[test]
fn every_object_is_dropped_once() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let table = Table::new(1);
    let handles: Vec<u64> = (0..100).map(|_| table.insert(Counted(dropped.clone())).ok().unwrap()).collect();
    for &handle in &handles[..40] {
        drop(table.remove(handle).ok().unwrap());
    }
    assert_eq!(dropped.load(SeqCst), 40);
    drop(table);
    assert_eq!(dropped.load(SeqCst), 100);
}

#[cfg(not(loom))]
#[test]
fn threads_that_insert_use_and_free_never_meet_in_one_object() {
    const THREADS: usize = 8;
    let table = Arc::new(Table::<[usize; 8]>::new(3));
    let shared = table.insert([0; 8]).unwrap();
    let (barrier, entered) = (Arc::new(Barrier::new(THREADS)), Arc::new(AtomicUsize::new(0)));
    let threads: Vec<_> = (0..THREADS)
        .map(|thread| {
            let (table, barrier, entered) = (table.clone(), barrier.clone(), entered.clone());
            std::thread::spawn(move || {
                barrier.wait();
                for round in 0..20_000 {
                    let mark = thread * 1_000_000 + round;
                    let own = table.insert([mark; 8]).unwrap();
                    let whole = table.with(own, |value| value.iter().all(|&number| number == mark));
                    assert_eq!(whole, Ok(true));
                    match table.with(shared, |value| value.iter_mut().for_each(|number| *number += 1)) {
                        Ok(()) => _ = entered.fetch_add(1, SeqCst),
                        Err(refusal) => assert_eq!(refusal, Refusal::Busy),
                    }
                    assert_eq!(table.remove(own), Ok([mark; 8]));
                    assert_eq!(table.with(own, |_| ()), Err(Refusal::Unknown));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let total = entered.load(SeqCst);
    assert_eq!(table.with(shared, |value| *value), Ok([total; 8]));
}

#[cfg(loom)]
#[test]
fn in_every_order_of_events_one_thread_is_inside_and_a_freed_handle_is_refused() {
    loom::model(|| {
        let table = loom::sync::Arc::new(Table::<u32>::new(1));
        let handle = table.insert(7).unwrap();
        let other = {
            let table = table.clone();
            loom::thread::spawn(move || match table.with(handle, |value| *value += 1) {
                Ok(()) => 1,
                Err(_) => 0,
            })
        };
        let here = table.remove(handle);
        let there = other.join().unwrap();
        match here {
            Ok(value) => assert_eq!(value, 7 + there),
            Err(refusal) => {
                assert_eq!(refusal, Refusal::Busy);
                assert_eq!(table.with(handle, |value| *value), Ok(8));
            }
        }
    });
}

#[cfg(loom)]
#[test]
fn in_every_order_of_events_a_slot_is_given_to_one_thread_only() {
    loom::model(|| {
        let table = loom::sync::Arc::new(Table::<u32>::new(1));
        let first = table.insert(0).unwrap();
        table.remove(first).unwrap();
        let other = {
            let table = table.clone();
            loom::thread::spawn(move || table.insert(1).unwrap())
        };
        let here = table.insert(2).unwrap();
        let there = other.join().unwrap();
        assert_ne!(here, there);
        assert_eq!((table.remove(here), table.remove(there)), (Ok(2), Ok(1)));
    });
}
