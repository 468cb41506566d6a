package ollama

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// A num_ctx below the least is no wish but a mistake; above the most, no machine has
// the memory.
const (
	MinWindow = 512
	MaxWindow = 4 << 20
)

// facts is what the server tells of a model.
type facts struct {
	shown    bool // the server told them
	window   int  // tokens, that are asked for
	own      int  // tokens that the model was made for at most; 0 if that is not known
	toolless bool // it is known to take no tools
	blind    bool // it is known to take no pictures
	plain    bool // it is known not to think
}

// look asks the server for the facts. The window is the configured one, else that of
// the model's parameters (PARAMETER num_ctx of its Modelfile), else the default; the
// model's own bounds it. A server that is slow to tell is not asked twice.
func (m *Model) look() facts {
	ctx, stop := context.WithTimeout(context.Background(), askingLimit)
	defer stop()
	found := facts{window: m.config.Window}
	shown, err := api.NewClient(m.base, m.config.HTTP).Show(ctx, &api.ShowRequest{Model: m.config.Model})
	found.shown = err == nil
	if err != nil { // the chat request meets the same error and reports it
		shown = &api.ShowResponse{}
	}
	if found.window <= 0 {
		found.window = parameter(shown.Parameters)
	}
	if found.window <= 0 {
		found.window = DefaultWindow
	}
	for key, value := range shown.ModelInfo {
		length, isNumber := value.(float64)
		if strings.HasSuffix(key, ".context_length") && isNumber && length >= 1 {
			found.own = int(length)
			found.window = min(found.window, found.own)
		}
	}
	found.toolless = without(shown.Capabilities, model.CapabilityTools)
	found.blind = without(shown.Capabilities, model.CapabilityVision)
	found.plain = without(shown.Capabilities, model.CapabilityThinking)
	return found
}

// parameter is num_ctx of a list of parameters, one with its value on each line, and 0
// if it is not there or not plausible.
func parameter(list string) int {
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		if len(fields) != 2 || fields[0] != "num_ctx" {
			continue
		}
		if size, err := strconv.Atoi(fields[1]); err == nil && size >= MinWindow && size <= MaxWindow {
			return size
		}
	}
	return 0
}

// without reports whether a capability is known to lack: servers before v0.6.4 list
// none at all.
func without(capabilities []model.Capability, wanted model.Capability) bool {
	return len(capabilities) > 0 && !slices.Contains(capabilities, wanted)
}

func (m *Model) toolless() bool { return m.mute.Load() || m.facts().toolless }
