//! How many pairs a second the generator makes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use samecall_drift::{Generator, Profile, builtin_catalog};
use std::hint::black_box;
use std::thread;

const PAIRS: u64 = 20_000;

fn generate(criterion: &mut Criterion) {
    let catalog = builtin_catalog();
    let mut group = criterion.benchmark_group("generate");
    group.throughput(Throughput::Elements(PAIRS)).sample_size(10);
    for name in Profile::builtin_names() {
        let profile = Profile::builtin(name).expect("built-in profiles are read");
        let generator = Generator::new(&catalog, &profile, 7, 3).expect("the catalog has tools");
        group.bench_function(format!("{name}-one-core"), |b| {
            b.iter(|| {
                (0..PAIRS / 1_000)
                    .map(|at| black_box(generator.batch(at, 1_000)).len())
                    .sum::<usize>()
            });
        });
        group.bench_function(format!("{name}-two-cores"), |b| {
            b.iter(|| {
                thread::scope(|scope| {
                    for thread in 0..2 {
                        let generator = &generator;
                        scope.spawn(move || {
                            for at in 0..PAIRS / 2_000 {
                                black_box(generator.batch(at * 2 + thread, 1_000));
                            }
                        });
                    }
                });
            });
        });
    }
    group.finish();
}

criterion_group!(benches, generate);
criterion_main!(benches);
