package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// A key can be entered in a conversation, on the full screen and in lines. It is not shown on the
// terminal, and only logins.json stores it. A key that the provider refuses is not stored.
func TestAKeyIsEnteredInside(t *testing.T) {
	t.Parallel()
	model := modeltest.New(func(modeltest.Request) modeltest.Step { return modeltest.Text("I heard you.") })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sk-good" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		model.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p := openPane(t, 110, 40)
	for _, marvin := range []string{"marvin --provider offline", "marvin --plain --provider offline"} {
		p.press("OPENAI_COMPAT_URL="+server.URL+"/v1 "+marvin, "Enter")
		p.sees("Marvin")
		if marvin == "marvin --provider offline" {
			p.sees("/help lists the commands")
		} else {
			p.sees("You:")
		}
		inside := marvin == "marvin --provider offline" // where a key that is not taken leaves the form open
		for i, one := range []struct{ key, said string }{
			{"sk-bad", "the key was not accepted, so it was not stored"},
			{"C-c", "o key was given"},
			{"Escape", "o key was given"},
			{"sk-good", "openai-compat accepts the key and has one model"},
		} {
			if !inside || i != 1 {
				p.press("/login openai-compat", "Enter")
			}
			if inside {
				p.sees("Key for openai-compat", "Esc goes back")
			} else {
				p.until("asked for a key", func(shown string) bool { return strings.Count(shown, "your typing is not shown:") == i+1 })
			}
			if p.press(one.key); strings.HasPrefix(one.key, "sk-") {
				p.sees(fmt.Sprintf("•••• %d characters", len(one.key)))
				p.press("Enter")
			}
			said := map[string]int{"Escape": 2}[one.key] // C-c said it first
			p.until(one.said, func(shown string) bool { return strings.Count(shown, one.said) >= max(said, 1) })
		}
		p.sees("now asking openai-compat")
		p.press("hello", "Enter")
		if shown := p.sees("I heard you."); strings.Contains(shown, "sk-") {
			t.Errorf("the key is shown:\n%s", shown)
		}
		p.press("C-d")
		p.leaves()
		p.press("marvin login --forget openai-compat", "Enter")
		p.sees("Marvin no longer stores a key for openai-compat")
		p.clear()
	}
	err := filepath.WalkDir(filepath.Dir(p.socket), func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "sk-good") || strings.Contains(string(text), "sk-bad") {
			t.Errorf("a key is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A signal ends the wait for a key, in a shell and in a conversation, and the state of the terminal
// is restored.
func TestASignalEndsTheWaitForAKey(t *testing.T) {
	t.Parallel()
	p := openPane(t, 110, 40)
	p.press("stty -a > before", "Enter")
	for _, marvin := range []string{"marvin login groq", "marvin --provider offline", "marvin --plain --provider offline"} {
		p.clear()
		p.press(marvin, "Enter")
		if marvin != "marvin login groq" {
			p.sees("built-in", "Try  ")
			p.press("/login groq", "Enter")
		}
		p.sees("Key for groq")
		p.signal("TERM")
		p.leaves()
		p.press("stty -a | diff - before && echo un''changed", "Enter")
		p.sees("unchanged")
	}
}
