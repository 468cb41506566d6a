package providers

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// The golden file has, for each provider of the catalog and several environments, what is chosen or
// missing, and the advice for a refused key.
func TestProviderChoice(t *testing.T) {
	var lines []string
	add := func(what string, wishes Wishes) {
		chosen, err := Resolve(wishes)
		line := fmt.Sprintf("%s => %s %s %s at %q, key %q from %q (%s); why: %s; advice: %s", what, chosen.Provider, chosen.Wire, chosen.Model, chosen.BaseURL, string(chosen.Key), chosen.KeyFrom, chosen.KeyPage, chosen.Why, chosen.KeyAdvice())
		if err != nil {
			line = fmt.Sprintf("%s => error (no key: %v): %v", what, errors.Is(err, ErrNoKey), err)
		}
		lines = append(lines, strings.ReplaceAll(line, strings.Repeat("k", 100), "(k)"))
	}
	for _, provider := range (Pool{}).All() {
		name, key, address := provider.Name, provider.KeyVar, provider.URLVar
		for _, one := range []struct {
			what       string
			env, files map[string]string
		}{
			{"nothing", nil, nil},
			{"a key", map[string]string{key: " sk-1 ", "LLM_PROVIDER": name}, nil},
			{"a key file", nil, map[string]string{key: "sk-2\n"}},
			{"an empty key file", nil, map[string]string{key: " "}},
			{"an odd key", map[string]string{key: "a b"}, nil},
			{"a key with signs", map[string]string{key: "sk-é"}, nil},
			{"an odd key file", nil, map[string]string{key: "a\nb"}},
			{"the longest key", map[string]string{key: strings.Repeat("k", maxKey)}, nil},
			{"a longer key", map[string]string{key: strings.Repeat("k", maxKey+1)}, nil},
			{"an address here", map[string]string{address: "http://127.0.0.1:9/v1/"}, nil},
			{"an address there", map[string]string{address: "https://user:secret@example.org/v1"}, nil},
			{"no address", map[string]string{address: "ftp://x"}, nil},
			{"a key and an address", map[string]string{key: "sk-1", address: "https://example.org"}, nil},
		} {
			if _, none := one.env[""]; none { // it has no such variable
				continue
			}
			for _, named := range []bool{true, false} {
				wishes := world(t, one.env, one.files)
				if named {
					wishes.Provider = name
				} else if len(one.env)+len(one.files) == 0 {
					continue
				}
				add(fmt.Sprintf("%s, %s, named %v", name, one.what, named), wishes)
			}
		}
		kept := world(t, nil, nil)
		kept.Provider, kept.Model = name, "m"
		kept.StoredKey = func(string) (string, string) { return "sk-kept", provider.BaseURL }
		kept.LoggedIn = func(string) bool { return true }
		add(name+", a key that was kept, --model m", kept)
	}
	goldentest.Assert(t, "resolve.golden", strings.Join(lines, "\n")+"\n", os.Getenv("UPDATE_GOLDEN") != "")
}
