package settings

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"marvin/persistence/internal/store"
)

// What config.yaml was understood as is kept beside it: reading YAML with ten servers takes
// 1 ms of each start, and reading this 0.1 ms. It is believed for exactly those bytes of the
// file and exactly this program, and may be removed at any time.

// shortestKept is the size in bytes from which caching a configuration pays.
const shortestKept = 256

// configMemo is that file.
type configMemo struct{ home *store.Home }

func (m configMemo) path() string { return m.memo().Path }

func (m configMemo) memo() store.Memo {
	return store.Memo{Home: m.home, Path: m.home.Path("config.read")}
}

// read is what these bytes were understood as before, if that is known.
func (m configMemo) read(data []byte) (config Config, known bool) {
	if len(data) < shortestKept {
		return Config{}, false
	}
	var settings configSettings
	if !m.memo().Read(data, &settings) || settings == nil || settings.fill(&config) != nil {
		return Config{}, false
	}
	return config, true
}

// keep caches the parsed configuration, unless the cache would lose a part of it. Failure is no
// error: the file is parsed again next time.
func (m configMemo) keep(data []byte, config Config) {
	var again Config
	settings, err := settingsOf(config)
	if err != nil || settings.fill(&again) != nil || !reflect.DeepEqual(again, config) {
		return
	}
	if encoded, err := json.Marshal(settings); err == nil {
		m.memo().Keep(data, encoded)
	}
}

// configSettings are the fields of a [Config] that say something, each by itself: the first
// look of encoding/json at all of its types takes 0.2 ms.
type configSettings map[string]json.RawMessage

func settingsOf(config Config) (configSettings, error) {
	settings, all := configSettings{}, reflect.ValueOf(config)
	for i := range all.NumField() {
		if all.Field(i).IsZero() {
			continue
		}
		encoded, err := json.Marshal(all.Field(i).Interface())
		if err != nil {
			return nil, err
		}
		settings[all.Type().Field(i).Name] = encoded
	}
	return settings, nil
}

func (s configSettings) fill(config *Config) error {
	all := reflect.ValueOf(config).Elem()
	for name, encoded := range s {
		field := all.FieldByName(name)
		if !field.IsValid() {
			return fmt.Errorf("a configuration has no %s", name)
		}
		if err := json.Unmarshal(encoded, field.Addr().Interface()); err != nil {
			return err
		}
	}
	return nil
}

// forget takes away what is kept: a key that the user took out of the file is nowhere else.
func (m configMemo) forget() {
	if m.home.State == "" {
		return
	}
	if _, err := os.Lstat(m.path()); err == nil { // most have none, and looking is no change of the disk
		_ = store.RemoveIfThere(m.path())
	}
}
