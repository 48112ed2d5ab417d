# Everything a person needs: `make help`. Variables are in docs/environment.md.
# Builds are release builds: the tests compare with a CPU renderer, which in debug takes minutes.

SWIFT ?= swift
SWIFT_FLAGS ?=
BENCH_OUT ?= out/bench
FUZZ_SECONDS ?= 600
TEST_FUZZ_SECONDS ?= 20
KILLS ?= 1000
RACES_SECONDS ?= 60
ENDURANCE_SECONDS ?= 600
RACES_FILTER ?= ^(RenderServerTests|ServerSystemTests|OperatorTests|LinuxIOTests|WaylandClientTests|WaylandProtocolTests)\.
SCENES ?= 20000

RELEASE := -c release $(SWIFT_FLAGS)
# Only what is there: a folder may have nothing in it yet.
SOURCES := $(wildcard Sources bench Tests Plugins Package.swift)

.PHONY: help build test fuzz races kills agreement bench bench-bars bench-selftest bench-counters gate bench-peers pictures examples lint \
  format clean tools guests wlcs endurance
.DEFAULT_GOAL := help
.NOTPARALLEL:

help:
	@echo "make test     install what is missing (Debian), lint, build, run every test"
	@echo "make fuzz     send nonsense to a server for $(FUZZ_SECONDS) s, under the address sanitizer"
	@echo "make races    the server's tests, and nonsense for $(RACES_SECONDS) s, under the thread sanitizer"
	@echo "make kills    kill $(KILLS) clients of a server while they work, and time another"
	@echo "make wlcs     Wayland's conformance suite on the server (installs it)"
	@echo "make endurance twenty programs at 60 Hz for $(ENDURANCE_SECONDS) s: every frame heard of, memory flat"
	@echo "make agreement draw $(SCENES) random scenes with both renderers, or those of SEED=, with pictures in OUT="
	@echo "make bench    install what is missing (Debian), build, measure, report to $(BENCH_OUT)"
	@echo "make gate     what frames do, counted, against bench/baseline (a part of make test); reports to out/gate"
	@echo "make bench-bars   every bar of docs/performance.md with its figure; exits with 1 where one falls short"
	@echo "make bench-selftest  the benchmark's trial of itself: false alarms, power, intervals, planted faults"
	@echo "make bench-peers  the same picture by other toolkits beside ours (installs them: Qt, Clutter, GTK, Firefox)"
	@echo "make pictures draw the pictures of docs/effects.md anew"
	@echo "make examples draw the films and golden frames of the examples anew"
	@echo "make build    build the library, the tools and the benchmark"
	@echo "make lint     check the form of the sources"
	@echo "make format   put the sources into that form"
	@echo "make clean    remove what was built and measured"

# Without testable imports, which the tests don't use, build and test share every object file.
test: lint build guests gate
	$(SWIFT) test $(RELEASE) --disable-testable-imports
	$(MAKE) wlcs
	$(SWIFT) run $(RELEASE) --skip-build wire-fuzz --seconds $(TEST_FUZZ_SECONDS)

# Programs of others that tests run on a server.
GUEST_PACKAGES := weston foot mpv imv gtk-4-examples glmark2-es2-wayland gstreamer1.0-tools gstreamer1.0-plugins-base \
  gstreamer1.0-plugins-bad chromium

guests: tools
	@PORTHOLE_PACKAGES="$(GUEST_PACKAGES)" .ci/install-tools

# All suites that fit what the server offers; Tests/WLCS/left-out.txt has the rest.
wlcs: tools
	@PORTHOLE_PACKAGES="wlcs pkg-config libwayland-dev" .ci/install-tools
	$(SWIFT) build $(RELEASE) --product porthole-wlcs
	Tests/WLCS/run "$$($(SWIFT) build $(RELEASE) --show-bin-path)/libporthole-wlcs.so"

# For a machine that does nothing else: every frame is held against the clock.
endurance: build
	ENDURANCE_SECONDS=$(ENDURANCE_SECONDS) $(SWIFT) test $(RELEASE) --disable-testable-imports --filter EnduranceTests

# Bad clients against a server, under the address sanitizer; for a quarter of the time, with a driver that imports dma-bufs.
# In a folder of its own, since everything is built anew. The build's own tools leak, and a tool that is killed for that
# builds nothing.
fuzz: tools
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) build --sanitize=address --scratch-path .build/fuzz --product wire-fuzz
	ASAN_OPTIONS=detect_leaks=0 .build/fuzz/debug/wire-fuzz --seconds $(FUZZ_SECONDS)
	Tests/CClient/build_driver.sh .build/fuzz/driver
	LD_PRELOAD=.build/fuzz/driver/fake_driver.so ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 \
	  .build/fuzz/debug/wire-fuzz --seconds $$(($(FUZZ_SECONDS) / 4 + 1))

# The threads of the server and of its clients against each other, in the tests' process and in the servers that they start.
# Nothing is left out.
races: export TSAN_OPTIONS = halt_on_error=1
races: tools
	$(SWIFT) test --sanitize=thread --scratch-path .build/races --filter '$(RACES_FILTER)'
	$(SWIFT) build --sanitize=thread --scratch-path .build/races --product wire-fuzz
	.build/races/debug/wire-fuzz --seconds $(RACES_SECONDS)

# For a machine that does nothing else: the frames of the client that lives are held against the clock.
kills: build
	KILLS=$(KILLS) $(SWIFT) test $(RELEASE) --disable-testable-imports --filter ServerProcessTests

# Scenes of every property, GL against the reference. Failures are printed with their seeds, as small as they get.
agreement: tools
	SCENES=$(SCENES) $(SWIFT) test $(RELEASE) --disable-testable-imports --filter "RendererAgreementTests/$(if $(SEED),oneScene,randomScenes)"

bench: build
	$(SWIFT) run $(RELEASE) --skip-build porthole-bench scale --full --out $(BENCH_OUT)

# BARS=--short leaves out what takes long.
bench-bars: build
	$(SWIFT) run $(RELEASE) --skip-build porthole-bench bars --out $(BENCH_OUT) $(BARS)

# Whether the benchmark keeps what it promises of itself. SELFTEST=--long takes as many trials as its bars ask for.
bench-selftest: build
	$(SWIFT) run $(RELEASE) --skip-build porthole-bench selftest --out $(BENCH_OUT) $(SELFTEST)

# What porthole-bench.toml asks for. Only what is the same on every machine decides.
gate: build
	$(SWIFT) run $(RELEASE) --skip-build porthole-bench ci --out out/gate

# The counters of all suites, to be checked in where a change of them is meant, with its REASON.
bench-counters: build
	$(SWIFT) run $(RELEASE) --skip-build porthole-bench baseline bless bench/baseline/counters.txt --reason "$(REASON)"

PEER_PACKAGES := g++ xvfb xauth libclutter-1.0-dev libgtk-4-dev qt6-base-dev qt6-declarative-dev qt6-shader-baker \
  qml6-module-qtquick qml6-module-qtqml qml6-module-qtqml-workerscript firefox-esr python3

bench-peers: build
	@PORTHOLE_PACKAGES="$(PEER_PACKAGES)" .ci/install-tools
	$(MAKE) -C bench/peers
	bench/peers/run.py --out $(abspath $(BENCH_OUT))/peers.json $(PEERS)

# Of bench/scenes/effect-NAME.json, docs/images/effects/NAME.png.
EFFECTS := $(patsubst bench/scenes/effect-%.json,%,$(wildcard bench/scenes/effect-*.json))

pictures: build
	@for name in $(EFFECTS); do \
	  .build/release/porthole render bench/scenes/effect-$$name.json -o docs/images/effects/$$name.png --scale 2 || exit 1; \
	done
	.build/release/porthole render bench/scenes/effect-color.json -o docs/images/effects/color-linear.png --scale 2 \
	  --format rgba16f --blending linear

# Films for docs/examples.md and the frames that tests hold them to, at the times that GoldenTests names.
# The last number is the film's quality, such that it has some 300 kB at most.
EXAMPLES := picture-in-picture:1.1:50 hero-transition:1.2:75 reflection:0.9:85 gradient-bubbles:1.2:60 warp:1.3:50 \
  camera-tray:3.3:88 glass-tab-bar:1.6:88 magnifier:1.0:65

examples: build
	@for example in $(EXAMPLES); do \
	  IFS=:; set -- $$example; \
	  .build/release/porthole-examples film $$1 -o docs/images/examples/$$1.webp --fps 15 --quality $$3 || exit 1; \
	  .build/release/porthole-examples still $$1 -o Tests/Golden/examples/$$1.png --at $$2 || exit 1; \
	  .build/release/porthole render examples/$$1.json -o Tests/Golden/examples/alone/$$1.png --at 0.9s || exit 1; \
	done

build: tools
	$(SWIFT) build $(RELEASE)

lint: tools
	$(SWIFT) format lint --strict --recursive $(SOURCES)

format: tools
	$(SWIFT) format --in-place --recursive $(SOURCES)

clean:
	rm -rf .build out

tools:
	@SWIFT="$(SWIFT)" .ci/install-tools
