package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestSettingsFiles(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	path := h.Path("config.yaml")
	storetest.EachLine(t, "config.golden", func(text string) string {
		storetest.Put(t, path, text+"\n")
		config, err := Read(h)
		again, _ := Read(h)
		if !reflect.DeepEqual(config, again) {
			t.Errorf("%s is read once more as %+v", text, again)
		}
		told := set(t, config)
		if written, failed := (File{h}).Written(); failed == nil {
			for _, key := range slices.Sorted(maps.Keys(written)) {
				told += fmt.Sprintf("; %s in line %d: %s", key, written[key].Line, written[key].Value)
			}
		}
		if guards := (*GuardsError)(nil); errors.As(err, &guards) && errors.Unwrap(guards) != nil {
			told += "; nothing is known of what it forbids"
		}
		if err != nil {
			told += "; error: " + err.Error()
		}
		return strings.ReplaceAll(strings.ReplaceAll(told, path, "FILE"), "\n", ` \n `)
	})
}

// set returns the fields of a configuration that are not empty, as JSON.
func set(t *testing.T, config Config) string {
	t.Helper()
	encoded, err := json.Marshal(config)
	storetest.Must(t, err)
	var fields map[string]any
	storetest.Must(t, json.Unmarshal(encoded, &fields))
	encoded, err = json.Marshal(filled(fields))
	storetest.Must(t, err)
	return string(encoded)
}

// filled returns a value without its empty parts.
func filled(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			value[name] = filled(inner)
			if at := reflect.ValueOf(value[name]); !at.IsValid() || at.IsZero() || at.Kind() == reflect.Map && at.Len() == 0 {
				delete(value, name)
			}
		}
	case []any:
		for i := range value {
			value[i] = filled(value[i])
		}
	}
	return value
}

// The golden file shows the text that is written for each setting into an existing file, and the
// refused values.
func TestSettingsAreWritten(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	path := h.Path("config.yaml")
	const before = "# mine\ntheme: dark   # at night\ncontext:\n  warn: 5000\n  # in between\n  compact: 6000\npass_env: [A]\nstatus:\n- model\n"
	storetest.EachLine(t, "settings.golden", func(text string) string {
		begin, order, own := strings.Cut(text, " ## ")
		if !own {
			begin, order = before, text
		}
		verb, rest, _ := strings.Cut(order, " ")
		key, value, _ := strings.Cut(rest, " ")
		storetest.Put(t, path, begin)
		var err error
		if verb == "set" {
			err = File{h}.Set(key, value)
		} else {
			err = File{h}.Unset(key)
		}
		if err != nil {
			return "error: " + strings.ReplaceAll(strings.ReplaceAll(err.Error(), path, "FILE"), "\n", ` \n `)
		}
		if after := storetest.Get(t, path); after != begin {
			return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(after)
		}
		return "nothing is changed"
	})
}
