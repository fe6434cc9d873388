//! Prints generated pairs as JSON lines: `cargo run -p samecall-drift --example pairs -- uniform 20 7 3`.

use samecall_drift::{Generator, Profile, builtin_catalog, with_inline_schema};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word =
        |at: usize, default: &str| arguments.get(at).map_or(default.to_owned(), Clone::clone);
    let catalog = builtin_catalog();
    let profile = Profile::named(&word(0, "uniform"))?;
    let (count, seed, depth) =
        (word(1, "10").parse()?, word(2, "7").parse()?, word(3, "3").parse()?);
    let generator = Generator::new(&catalog, &profile, seed, depth)?;
    let mut left: usize = count;
    for index in 0.. {
        let size = left.min(1_000);
        for pair in generator.batch(index, size) {
            println!("{}", with_inline_schema(pair, &catalog).to_json());
        }
        left -= size;
        if left == 0 {
            break;
        }
    }
    Ok(())
}
