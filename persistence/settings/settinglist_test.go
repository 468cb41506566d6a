package settings

import (
	"slices"
	"strings"
	"testing"
)

// `marvin config` and /settings list exactly the settings that config.yaml may contain.
func TestEverySettingIsListed(t *testing.T) {
	var listed []string
	for _, setting := range All() {
		first, _, _ := strings.Cut(setting.Key, ".")
		if !slices.Contains(listed, first) {
			listed = append(listed, first)
		}
	}
	read := slices.Clone(settings)
	slices.Sort(listed)
	slices.Sort(read)
	if !slices.Equal(listed, read) {
		t.Errorf("listed are %v; read are %v", listed, read)
	}
}
