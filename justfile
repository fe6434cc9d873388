# What people run and what CI runs, by the same names.

set shell := ["bash", "-euo", "pipefail", "-c"]

# The seed of every committed report.
seed := "7"
# Generated pairs in the committed report.
pairs := "2000000"

samecall := "target/release/samecall"

# List the recipes
default:
    @just --list --unsorted

# Score every strategy on the corpora and on generated pairs; writes reports/ and the README's table
replay: _build
    {{samecall}} replay --pairs corpus/article.jsonl --pairs corpus/adversarial.jsonl --out reports/replay
    {{samecall}} replay --generate {{pairs}} --profile uniform --seed {{seed}} --depth 3 \
        --out reports/generated/uniform
    {{samecall}} replay --generate {{pairs}} --profile observed --seed {{seed}} --depth 3 \
        --out reports/generated/observed >/dev/null
    {{samecall}} replay --generate 120000 --profile article --seed {{seed}} --depth 1 \
        --out reports/generated/article >/dev/null
    {{samecall}} report --from reports/replay --splice README.md --command "just replay"

# The same on real tool calls from public benchmarks (third-party data beside the project)
replay-traces traces="../shared/traces": _build
    {{samecall}} replay \
        --pairs {{traces}}/tau_bench.pairs.jsonl --tools {{traces}}/tools/tau_bench.json \
        --pairs {{traces}}/workbench.pairs.jsonl --tools {{traces}}/tools/workbench.json \
        --pairs {{traces}}/bfcl_possible_answer.pairs.jsonl --tools {{traces}}/tools/bfcl.json \
        --out reports/traces
    {{samecall}} mine {{traces}}/workbench.calls.jsonl --tools {{traces}}/tools/workbench.json \
        --out reports/traces
    {{samecall}} cache {{traces}}/workbench.calls.jsonl --tools {{traces}}/tools/workbench.json \
        --out reports/traces/cache
    {{samecall}} cache {{traces}}/workbench.calls.jsonl --tools {{traces}}/tools/workbench.json \
        --policy corpus/cache/workbench.toml --out reports/traces/cache-policy >/dev/null

# Examine the rules of C and E: ablation, interactions, the frontier; and three catalogs of the article
rules: _build
    {{samecall}} rules --strategy normalised,normalised-capital-t,scoped,typed,typed-scoped \
        --pairs corpus/article.jsonl --pairs corpus/adversarial.jsonl --generate 20000 --values 4000 \
        --exhaustive --out reports/rules >/dev/null
    cargo xtask catalogs --out reports/rules/catalogs.md

# Repeat the generated run on three seeds of the commit's hash and compare with the committed result
confirm: _build
    cargo xtask confirm --pairs {{pairs}}

# Install real validators and SDKs at pinned versions (python3, node, npm), ask them about 100,000 pairs; writes reports/executors*
executors: _build _executors
    nice {{samecall}} executors --generate 100000 --profile uniform --seed {{seed}} --depth 1 --show-values \
        --command "just executors" --out reports >/dev/null
    nice {{samecall}} executors --pairs corpus/article.jsonl --pairs corpus/adversarial.jsonl --show-values \
        --command "just executors" --out reports/executors >/dev/null

# The same for real tool calls from public benchmarks (third-party data beside the project)
executors-traces traces="../shared/traces": _build _executors
    nice {{samecall}} executors --command "just executors-traces" \
        --pairs {{traces}}/tau_bench.pairs.jsonl --tools {{traces}}/tools/tau_bench.json \
        --pairs {{traces}}/workbench.pairs.jsonl --tools {{traces}}/tools/workbench.json \
        --pairs {{traces}}/bfcl_possible_answer.pairs.jsonl --tools {{traces}}/tools/bfcl.json \
        --out reports/traces/executors >/dev/null

_executors:
    test -x executors/.venv/bin/python || python3 -m venv executors/.venv
    executors/.venv/bin/pip install --quiet --require-hashes -r executors/requirements.txt
    cd executors/node && npm ci --no-audit --no-fund --silent
    CARGO_TARGET_DIR=executors/rust/target cargo build --release --locked --quiet --manifest-path executors/rust/Cargo.toml

# Price what errors cost; writes reports/cost/
cost: _build
    {{samecall}} cost --out reports/cost

# Count again what strategies answer in each situation, from real calls (third-party data beside the project)
cost-counts traces="../shared/traces": _build
    #!/usr/bin/env bash
    set -euo pipefail
    made="$(mktemp -d)" && trap 'rm -rf "$made"' EXIT
    tools="--tools {{traces}}/tools/tau_bench.json --tools {{traces}}/tools/workbench.json"
    {{samecall}} cost --situations {{traces}}/tau_bench.pairs.jsonl --situations {{traces}}/workbench.pairs.jsonl \
        > "$made/situations.jsonl"
    {{samecall}} replay --pairs "$made/situations.jsonl" $tools --json "$made/verdicts.json" > /dev/null
    {{samecall}} cost --verdicts "$made/verdicts.json" --counts corpus/harm/verdicts.json \
        --about "tau-bench and WorkBench, calls that real agents made (just cost-counts)"

# Both modes of the lexical deduper on planted chunks, and deduplication by meaning on embedded ones; writes reports/dedup/
dedup: _build
    {{samecall}} dedup compare --seed {{seed}} --chunks 2000 --out reports/dedup
    {{samecall}} dedup semantic crates/dedup/tests/fixtures/semantic/texts.jsonl \
        --embeddings crates/dedup/tests/fixtures/semantic/embeddings.npy --model all-MiniLM-L6-v2 \
        --threshold 0.9 --compare -o target/dedup-kept.jsonl --map reports/dedup/semantic/map.jsonl \
        --report reports/dedup/semantic/report.json --plot reports/dedup/semantic >/dev/null

# Recorded agent loops through the tool-call cache; writes reports/cache/
cache: _build
    {{samecall}} cache corpus/cache/published.jsonl --tools corpus/cache/tools.json \
        --out reports/cache/published
    {{samecall}} cache corpus/cache/variants.jsonl --tools corpus/cache/tools.json \
        --out reports/cache/variants >/dev/null
    {{samecall}} cache corpus/cache/orders.jsonl --tools corpus/cache/tools.json \
        --out reports/cache/orders >/dev/null
    {{samecall}} cache corpus/cache/orders.jsonl --tools corpus/cache/tools.json --policy corpus/cache/policy.toml \
        --out reports/cache/orders-policy >/dev/null

# Thresholds and guard on PAWS-Wiki, third-party data beside the project; writes reports/dedup/paws, figures and plots only
dedup-paws shared="../shared": _build
    if [ -e {{shared}}/text/paws_dev.tsv ]; then \
        {{samecall}} dedup calibrate --pairs {{shared}}/text/paws_dev.tsv \
            --embeddings {{shared}}/text/paws_dev_minilm_f16.npy --threshold 0.95 --share 0.05 \
            --name "PAWS-Wiki dev, all-MiniLM-L6-v2" --out reports/dedup/paws; \
    else echo "skipped: {{shared}}/text/paws_dev.tsv not found"; fi

# All tests, as the README says
test:
    cargo test

# Formatting, lints and documentation, without a warning
lint:
    cargo fmt --all --check
    cargo clippy --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --document-private-items

# Regenerate reports/ and fail on any difference from what is committed
reports-fresh: replay rules cost dedup cache
    git add --intent-to-add reports README.md
    git diff --exit-code --stat -- reports README.md

# What CI runs
ci: test lint reports-fresh fuzz-smoke

# Time every strategy against a floor measured in the same run
bench:
    cargo bench -p samecall-keyer
    cargo bench -p samecall-cache

_build:
    cargo build --release --quiet -p samecall-cli

# The heavy optional parts: DynamoDB against two servers on loopback, 500 killed processes
ci-features:
    crates/store-dynamodb/tests/servers.sh
    SAMECALL_KILLS=500 cargo test -p samecall-store --test crash -- --nocapture

# Hunt by every fuzz target for some minutes each; writes reports/machine/
fuzz minutes="10" strategy="typed-scoped" jobs="2": _cargo-fuzz
    cargo xtask fuzz-campaign --seconds $(({{minutes}} * 60)) --strategy {{strategy}} --jobs {{jobs}} \
        --out "reports/machine/fuzz-{{strategy}}-{date}.md"

# Hunt by every fuzz target for 20 seconds, from one random seed; and check that one builds as the bare command has it
fuzz-smoke: _cargo-fuzz
    cargo fuzz check normalizer
    cargo xtask fuzz-campaign --seconds 20 --jobs 2 --seed 1

# Judge labels, and laws of calls, on schemas that nobody wrote: `all` kinds with all keywords, or SEED:COUNT drawn at random
schemas which="2:2000":
    {{ if which == "all" { "cargo test --release -p samecall-drift -p samecall-oracle --no-fail-fast --test schemas all_kinds -- --ignored" } else { \
        "SAMECALL_SCHEMAS=" + which + " cargo test --release -p samecall-drift -p samecall-oracle --no-fail-fast --test schemas many -- --ignored" } }}

# Hunt the baselines from nothing; fails where one is not found to break what it is known to; writes reports/machine/
fuzz-baselines minutes="5": _cargo-fuzz
    cargo xtask fuzz-campaign --empty --seconds $(({{minutes}} * 60)) --target normalizer --jobs 2 \
        --strategy normalised-capital-t --strategy normalised --strategy scoped --strategy agentforge \
        --expect normalised-capital-t:order:case-fold-first+timestamp-capital-t \
        --expect normalised:change:zero_padding --expect normalised:fixed_point: \
        --expect normalised:change:exact_case --expect scoped:scope:separator \
        --expect agentforge:change:nested_changed \
        --out "reports/machine/fuzz-baselines-{date}.md"

# Let every fuzz target hunt the planted faults that it claims to find
fuzz-selftest seconds="120": _cargo-fuzz
    cargo xtask fuzz-selftest --seconds {{seconds}}

# Make a find small, show it, and keep it as a regression
[positional-arguments]
fuzz-adopt artifact *options:
    cargo xtask fuzz-adopt "$@"

# Write the fuzz targets' seeds and dictionaries, which are made of the corpus
fuzz-seeds:
    cargo xtask fuzz-seeds

# Lines that a target's corpus reaches, by file (needs the component llvm-tools)
fuzz-coverage target="normalizer": _cargo-fuzz fuzz-seeds
    cargo fuzz coverage --sanitizer none --features cache,dedup {{target}}
    $(rustc --print target-libdir)/../bin/llvm-cov report --use-color=false \
        -instr-profile=fuzz/coverage/{{target}}/coverage.profdata \
        $(find "${CARGO_TARGET_DIR:-target}" -path '*coverage*/release/{{target}}' -type f | head -1) \
        --ignore-filename-regex='registry|rustc'

# Print the crates that the bare `cargo fuzz run` builds, for the list in .cargo/config.toml
fuzz-crates:
    @{ echo ___; sed -n 's/^name = "\(.*\)"/\1/p' fuzz/Cargo.toml | grep -v samecall; \
    RUSTFLAGS="--cfg fuzzing" cargo tree --package samecall-fuzz --features cache,dedup --edges normal,no-proc-macro \
        --prefix none --format '{lib}' --no-dedupe; } | sort -u | paste -sd,

# Break a crate in every small way that cargo-mutants knows, and ask its tests; what survives is killed by a new test or explained in .cargo/mutants.toml
[positional-arguments]
mutants package="keyer" *options: _cargo-mutants
    mkdir -p target/mutants-{{package}}
    NEXTEST_PROFILE=mutants RUST_BACKTRACE=0 SAMECALL_SHARED="$(realpath -m ../shared)" \
        cargo mutants --package samecall-{{package}} --jobs 2 --output target/mutants-{{package}} "${@:2}"

_cargo-mutants:
    @command -v cargo-mutants >/dev/null || cargo install cargo-mutants --locked --quiet
    @command -v cargo-nextest >/dev/null || cargo install cargo-nextest --locked --quiet

_cargo-fuzz:
    @command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked --quiet
