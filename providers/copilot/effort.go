package copilot

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	sdk "github.com/github/copilot-sdk/go"
	"github.com/github/copilot-sdk/go/rpc"

	"marvin/messages"
	"marvin/providers"
)

// word returns the CLI's name for an effort. The CLI knows low, medium, high, xhigh and max
// (SessionConfig.ReasoningEffort in its SDK), and nothing lower than low.
func word(effort providers.Effort) string {
	switch effort {
	case providers.Off, providers.Minimal:
		return string(providers.Low)
	}
	return string(effort)
}

// effort returns the reasoning effort for a session, or "" for the model's default.
func (m *Model) effort(question providers.Question) string {
	if m.unasked {
		return ""
	}
	return word(question.Effort)
}

// refusesEffort reports whether err is a refusal of the reasoning effort. After a refusal, the
// reply contains a notice, and later requests omit the effort.
func (m *Model) refusesEffort(effort string, err error, turn *turn) bool {
	if err == nil || effort == "" {
		return false
	}
	if text := strings.ToLower(err.Error()); !strings.Contains(text, "reasoning") && !strings.Contains(text, "effort") {
		return false
	}
	m.unasked = true
	turn.reply.Notices = append(turn.reply.Notices, fmt.Sprintf("Copilot offers no thinking levels for %s (%s), so the model uses its default.", m.config.Model, providers.Clean(err.Error(), "")))
	return true
}

// think updates the session's reasoning effort. ok is false if the effort must be removed, because
// removal requires a new session.
func (s *session) think(ctx context.Context, model, effort string) (ok bool, err error) {
	if effort == s.effort {
		return true, nil
	}
	if effort == "" {
		return false, nil
	}
	if err := s.sdk.SetModel(ctx, model, &sdk.SetModelOptions{ReasoningEffort: &effort}); err != nil {
		return false, err
	}
	s.effort = effort
	return true, nil
}

// handOver converts a tool's result, including its pictures, to the CLI's form.
func handOver(told messages.ToolResult) rpc.ExternalToolResult {
	text := cmp.Or(told.Text, "(no output)")
	var pictures []rpc.ExternalToolTextResultForLlmBinaryResultsForLlm
	for _, picture := range told.Pictures {
		if len(picture.Data) == 0 {
			text += "\n" + providers.InWords(picture)
			continue
		}
		data := picture.Data
		// The CLI silently drops pictures if it considers the model text-only.
		picture.Data, picture.Note = nil, "it comes with this result, if you can see pictures"
		text += "\n" + providers.InWords(picture)
		pictures = append(pictures, rpc.ExternalToolTextResultForLlmBinaryResultsForLlm{
			Data: base64.StdEncoding.EncodeToString(data), MIMEType: picture.Type, Description: &picture.Name, Type: rpc.ExternalToolTextResultForLlmBinaryResultsForLlmTypeImage,
		})
	}
	if len(pictures) == 0 {
		return rpc.ExternalToolStringResult(text)
	}
	return rpc.ExternalToolTextResultForLlm{TextResultForLlm: text, BinaryResultsForLlm: pictures}
}

// sees declares that the models of the user's own provider accept pictures. The CLI does not know
// these models and would otherwise drop pictures silently.
func sees(own *sdk.ProviderConfig) *rpc.ModelCapabilitiesOverride {
	if own == nil {
		return nil
	}
	return &rpc.ModelCapabilitiesOverride{Supports: &rpc.ModelCapabilitiesOverrideSupports{Vision: sdk.Bool(true)}}
}
