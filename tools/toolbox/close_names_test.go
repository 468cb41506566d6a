package toolbox_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/toolbox"
)

func TestNotAllCloseNamesAreReported(t *testing.T) {
	var registry toolbox.Registry
	for _, letter := range "abcdefgh" {
		registry.Add(named("forecast_" + string(letter)))
	}
	_, err := registry.Find("forecast_x", tools.Mode{})
	_, list, _ := strings.Cut(fmt.Sprint(err), "Close names: ")
	close := strings.Split(list, ", ")
	slices.Sort(close)
	if len(close) != 5 || len(slices.Compact(close)) != 5 {
		t.Error(err)
	}
}

func TestUnknownToolsGetCloseOnes(t *testing.T) {
	var registry toolbox.Registry
	registry.Add(forecast(), named("read_file"), named("git_status"))
	_, err := registry.Find("forecast_weather", tools.Mode{})
	if err == nil || !strings.Contains(err.Error(), "Close names: weather_forecast") {
		t.Errorf("error %v", err)
	}
	_, err = registry.Find("qqq", tools.Mode{})
	if err == nil || !strings.Contains(err.Error(), "Find a tool by its purpose with find_tools") {
		t.Errorf("error %v", err)
	}
}
