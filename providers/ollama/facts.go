package ollama

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// MinWindow and MaxWindow limit num_ctx. A smaller value is a mistake, and no machine has enough
// memory for a larger one.
const (
	MinWindow = 512
	MaxWindow = 4 << 20
)

// facts contains the context window to request, and the server's description of the model.
type facts struct {
	shown    bool // the server returned a description of the model
	window   int  // the context window to request, in tokens
	own      int  // the model's largest context window in tokens; 0 if unknown
	toolless bool // the model is known not to support tools
	blind    bool // the model is known not to support pictures
	plain    bool // the model is known not to reason
}

// look asks the server for a description of the model. m.facts caches the result, even after a
// failed request.
func (m *Model) look() facts {
	ctx, stop := context.WithTimeout(context.Background(), askingLimit)
	defer stop()
	found := facts{window: m.config.Window}
	shown, err := api.NewClient(m.base, m.config.HTTP).Show(ctx, &api.ShowRequest{Model: m.config.Model})
	found.shown = err == nil
	if err != nil { // ignored, because the chat request reports errors
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
	found.toolless = lacks(shown.Capabilities, model.CapabilityTools)
	found.blind = lacks(shown.Capabilities, model.CapabilityVision)
	found.plain = lacks(shown.Capabilities, model.CapabilityThinking)
	return found
}

// parameter finds the value of num_ctx in a list with one parameter per line. It returns 0 if the
// value is missing or not between [MinWindow] and [MaxWindow].
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

// lacks returns true if a model is known to lack a capability. Servers before v0.6.4 report no
// capabilities, so lacks returns false for their models.
func lacks(capabilities []model.Capability, wanted model.Capability) bool {
	return len(capabilities) > 0 && !slices.Contains(capabilities, wanted)
}

func (m *Model) toolless() bool { return m.mute.Load() || m.facts().toolless }
