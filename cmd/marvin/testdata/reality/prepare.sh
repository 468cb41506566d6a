#!/usr/bin/env bash
# Installs the programs for `make reality` in a directory: Ollama, which is built from its module
# (once, about 6 minutes on one core), the Copilot CLI, and agents of other projects. If one cannot
# be installed, its tests are skipped.
set -uo pipefail
store=${1:?usage: prepare.sh DIRECTORY}
ollama=v0.17.4 copilot=1.0.102
mkdir -p "$store/bin"

build_ollama() {
	# Go's module archives omit directories named vendor. Of the header files there, Debian has two.
	# The third, for sound, is replaced by one in which every call fails.
	local headers=$store/headers
	mkdir -p "$headers/usr/include/miniaudio" || return
	(cd "$headers" && apt-get download nlohmann-json3-dev libstb-dev && for each in ./*.deb; do dpkg -x "$each" .; done) || return
	cat >"$headers/usr/include/miniaudio/miniaudio.h" <<'HEADER'
#pragma once
#include <cstddef>
typedef int ma_result;
typedef unsigned long long ma_uint64;
enum { MA_SUCCESS = 0, MA_NOT_BUILT = -1 };
enum ma_format { ma_format_f32 };
struct ma_decoder_config {};
struct ma_decoder {};
static inline ma_decoder_config ma_decoder_config_init(ma_format, int, int) { return {}; }
static inline ma_result ma_decoder_init_memory(const void *, size_t, const ma_decoder_config *, ma_decoder *) { return MA_NOT_BUILT; }
static inline ma_result ma_decoder_get_length_in_pcm_frames(ma_decoder *, ma_uint64 *) { return MA_NOT_BUILT; }
static inline ma_result ma_decoder_read_pcm_frames(ma_decoder *, void *, ma_uint64, ma_uint64 *) { return MA_NOT_BUILT; }
static inline ma_result ma_decoder_uninit(ma_decoder *) { return MA_SUCCESS; }
HEADER
	CGO_ENABLED=1 CGO_CPPFLAGS=-I$headers/usr/include GOBIN=$store/bin nice go install -p 1 "github.com/ollama/ollama@$ollama"
}

if [[ ! -x $store/bin/ollama ]]; then
	build_ollama || echo "no Ollama: it needs apt-get, g++ and the module proxy" >&2
fi
if [[ ! -x $store/copilot/node_modules/.bin/copilot ]]; then
	npm install --silent --prefix "$store/copilot" "@github/copilot@$copilot" || echo "no Copilot CLI: it needs npm and its registry" >&2
fi
if [[ ! -x $store/agents/node_modules/.bin/qwen ]]; then
	npm install --silent --prefix "$store/agents" opencode-ai@1.18.33 @qwen-code/qwen-code@0.15.10 @agentclientprotocol/claude-agent-acp@0.49.0 @zed-industries/codex-acp@0.16.0 || echo "no agents of other projects: they need npm and its registry" >&2
fi
exit 0
