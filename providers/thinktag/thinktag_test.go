package thinktag_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/openaichat"
	"marvin/providers/thinktag"
)

// Reasoning in tags is not part of the answer's text, wherever the stream divides it. Later tags,
// and text that only looks like a tag, are text.
func TestThoughtsInTagsAreNoWords(t *testing.T) {
	step := make(chan modeltest.Step, 1)
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return <-step })
	model := thinktag.Wrap(openaichat.New(openaichat.Config{Provider: "p", BaseURL: server.URL + "/v1", Key: "k", Model: "m", HTTP: &http.Client{Transport: &http.Transport{}}}))
	defer model.Close()
	for _, row := range []struct{ said, thought, words string }{
		{"<think>hm, 1 < 2</think>\n\nYes.", "hm, 1 < 2", "Yes."},
		{"\n <think>\nhm\n</think>Yes.", "\nhm\n", "Yes."},
		{"[THINK]hm[/THINK]Yes.", "hm", "Yes."},
		{"<think></think>\n\nYes.", "", "Yes."},
		{"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Yes.", "hm", "Yes."},
		{"<think>hm", "hm", ""},
		{"<thinker> is no tag.", "", "<thinker> is no tag."},
		{"<th", "", "<th"},
		{"Write <think>x</think> so.", "", "Write <think>x</think> so."},
		{" <b>bold</b>", "", " <b>bold</b>"},
	} {
		for cut := range row.said {
			for name, chunks := range map[string][]string{"once": {row.said[:cut], row.said[cut:]}, "each letter": strings.Split(row.said, "")} {
				if name == "each letter" && cut > 0 {
					continue
				}
				step <- modeltest.Text(chunks...)
				var thought, words strings.Builder
				reply, err := model.Respond(t.Context(), providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "go"}}}, func(part providers.Part) {
					switch part.Kind {
					case providers.ThinkingPart:
						thought.WriteString(part.Text)
					case providers.TextPart:
						words.WriteString(part.Text)
					}
				})
				if got := fmt.Sprintf("%q %q %q", thought.String(), words.String(), reply.Text); err != nil || got != fmt.Sprintf("%q %q %q", row.thought, row.words, row.words) {
					t.Errorf("%q cut at %d (%s): %s, %v", row.said, cut, name, got, err)
				}
			}
		}
	}
}
