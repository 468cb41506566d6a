package settings

import (
	"slices"
	"strings"
	"testing"

	"marvin/persistence/internal/storetest"
)

func TestTheStatusLineIsConfigured(t *testing.T) {
	for text, want := range map[string][]string{
		"theme: nord\n":                  nil,
		"status: []\n":                   {},
		"status: [Jobs, model]\n":        {"jobs", "model"},
		"status:\n  - cost\n  - model\n": {"cost", "model"},
	} {
		config, err := Read(storetest.Configured(t, text))
		if err != nil || !slices.Equal(config.Looks.Status, want) || (config.Looks.Status == nil) != (want == nil) {
			t.Errorf("%q is %#v, %v", text, config.Looks.Status, err)
		}
	}
	for text, want := range map[string]string{"status: [weather]\n": `"weather" is not a part`, "status: {a: b}\n": "must be a list of parts"} {
		if _, err := Read(storetest.Configured(t, text)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), strings.Join(StatusParts, ", ")) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
