# What people run and what CI runs, by the same names.

set shell := ["bash", "-euo", "pipefail", "-c"]

# The seed of every committed report.
seed := "7"
# Generated pairs in the committed report.
pairs := "1000000"

# List the recipes
default:
    @just --list --unsorted

# Score every strategy on the corpora and on generated pairs; writes reports/ and the README's table
replay: _build
    target/release/samecall replay --pairs corpus/article.jsonl --pairs corpus/adversarial.jsonl \
        --json reports/replay/results.json --out reports/replay
    target/release/samecall replay --generate {{pairs}} --profile uniform --seed {{seed}} --depth 3 \
        --json reports/generated/results.json --out reports/generated
    cargo xtask splice README.md results reports/replay/readme.md

# The same on real tool calls from public benchmarks (third-party data beside the project)
replay-traces traces="../shared/traces": _build
    target/release/samecall replay \
        --pairs {{traces}}/tau_bench.pairs.jsonl --tools {{traces}}/tools/tau_bench.json \
        --pairs {{traces}}/workbench.pairs.jsonl --tools {{traces}}/tools/workbench.json \
        --pairs {{traces}}/bfcl_possible_answer.pairs.jsonl --tools {{traces}}/tools/bfcl.json \
        --json reports/traces/results.json --out reports/traces

# All tests, as the README says
test:
    cargo test

# Formatting, lints and documentation, without a warning
lint:
    cargo fmt --all --check
    cargo clippy --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --document-private-items

# Regenerate reports/ and fail on any difference from what is committed
reports-fresh: replay
    git add --intent-to-add reports README.md
    git diff --exit-code --stat -- reports README.md

# What CI runs
ci: test lint reports-fresh

# Time every strategy against a floor measured in the same run
bench:
    cargo bench -p samecall-keyer

_build:
    cargo build --release --quiet -p samecall-cli
