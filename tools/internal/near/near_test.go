package near_test

import (
	"strings"
	"testing"

	"marvin/tools/internal/near"
)

func TestNamesThatResemble(t *testing.T) {
	known := []string{"read_file", "create_file", "git_status", "weather_forecast", "days"}
	for name, want := range map[string]string{
		"raed_file":        "read_file",
		"forecast_weather": "weather_forecast",
		"dais":             "days",
		"Read_File":        "read_file",
		"qqq":              "",
		"":                 "",
	} {
		if got := strings.Join(near.Similar(name, known, 1), " "); got != want {
			t.Errorf("near %q: %q, want %q", name, got, want)
		}
	}
}
