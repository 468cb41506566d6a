package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli"
	"marvin/providers"
	"marvin/tools"
)

// For every provider, also for providers that are added later, Marvin hides the keys that it can
// use.
func TestKeysOfEveryProviderAreHidden(t *testing.T) {
	tomorrow := providers.Provider{Name: "tomorrow", KeyVar: "TOMORROW_AI_KEY", KeyFile: true}
	withFile := 0
	for _, provider := range append(slices.Clone(providers.Catalog), tomorrow) {
		if provider.KeyVar == "" {
			continue
		}
		home, key := t.TempDir(), "canary-of-"+provider.Name
		if err := os.Mkdir(filepath.Join(home, ".ssh"), 0o700); err != nil {
			t.Fatal(err)
		}
		if provider.KeyFile {
			withFile++
			if err := os.WriteFile(filepath.Join(home, ".ssh", provider.KeyVar), []byte(key+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if text, _, problem := (cli.World{Home: home}).KeyFile()(provider.KeyVar); text != key {
				t.Errorf("the key of %s is not found: %s", provider.Name, problem)
			}
			if hidden := tools.SecretsOf(nil, home).Hide("<" + key + ">"); strings.Contains(hidden, key) {
				t.Errorf("the key file of %s is shown: %s", provider.Name, hidden)
			}
		}
		if hidden := tools.SecretsOf([]string{provider.KeyVar + "=" + key}, "").Hide("<" + key + ">"); strings.Contains(hidden, key) {
			t.Errorf("the key of %s is shown: %s", provider.Name, hidden)
		}
	}
	if withFile < 3 {
		t.Errorf("only %d providers have key files", withFile)
	}
}

func TestShortKeysMangleNoText(t *testing.T) {
	for key, want := range map[string]string{
		"lab": "label EMPTY sk-longer-key-1", "EMPTY": "label EMPTY sk-longer-key-1", "": "label EMPTY sk-longer-key-1", "sk-longer-key-1": "label EMPTY [key]",
	} {
		if got := providers.Clean("label EMPTY sk-longer-key-1", key); got != want {
			t.Errorf("with %q: %s", key, got)
		}
		if got := tools.SecretsOf([]string{"OPENAI_COMPAT_API_KEY=" + key}, "").Hide("label EMPTY"); got != "label EMPTY" {
			t.Errorf("with %q: %s", key, got)
		}
	}
}
