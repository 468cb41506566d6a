package ollama

import (
	"errors"
	"net/http"
	"strings"

	"github.com/ollama/ollama/api"

	"marvin/providers"
)

func (m *Model) takesPictures() bool {
	return m.config.About.SeesPictures() && !m.blind.Load() && (m.config.About.Sees != nil || !m.facts().blind)
}

// think converts the wanted effort to a thinking setting: a level for the gpt-oss models, true or
// false for other models. If the request should contain no setting, think returns nil.
func (m *Model) think(wish providers.Effort) *api.ThinkValue {
	effort := m.config.About.Fit(wish)
	if effort == "" || m.unasked.Load() || m.facts().plain {
		return nil
	}
	if strings.Contains(m.config.Model, "gpt-oss") {
		word := effort
		switch effort {
		case providers.Off, providers.Minimal:
			word = providers.Low
		case providers.XHigh, providers.Max:
			word = providers.High
		case providers.Low, providers.Medium, providers.High:
		}
		return &api.ThinkValue{Value: string(word)}
	}
	return &api.ThinkValue{Value: effort != providers.Off}
}

// turnOff turns off the feature that a refusal names, and reports whether it was on.
func (m *Model) turnOff(err error, question providers.Question) bool {
	if providers.RefusesPictures(err, question) {
		return m.takesPictures() && !m.blind.Swap(true)
	}
	refused, ok := errors.AsType[*providers.StatusError](err)
	return ok && refused.Status == http.StatusBadRequest && question.Effort != "" && strings.Contains(strings.ToLower(refused.Message), "think") && !m.unasked.Swap(true)
}
