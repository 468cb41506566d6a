package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// atModels returns a terminal in a repository whose user has configured two models.
func atModels(t *testing.T) (*pane, *modeltest.Server) {
	t.Helper()
	server := modeltest.New(func(modeltest.Request) modeltest.Step { return modeltest.Text("I heard you.") })
	listening := httptest.NewServer(server)
	t.Cleanup(listening.Close)
	p := openPane(t, 110, 24)
	home := filepath.Dir(p.socket)
	for path, text := range map[string]string{
		"project/.git/HEAD":    "ref: refs/heads/main\n",
		"project/.git/objects": "", "project/.git/refs": "", "project/sub": "",
		".config/marvin/config.yaml": "providers:\n  mine:\n    url: " + listening.URL + "/v1\n    models:\n" +
			"      m1: {window: 200000, price: {in: 3, out: 15}, sees: true, efforts: [low, high]}\n      m2: {window: 9000, sees: false, tools: false}\nroles: {default: [mine/m1, mine/m2]}\n",
	} {
		path = filepath.Join(home, path)
		dir := filepath.Dir(path)
		if text == "" {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p, server
}

func TestAChoiceIsKeptForTheProject(t *testing.T) {
	t.Parallel()
	p, _ := atModels(t)
	p.press("cd project; marvin", "Enter")
	p.sees(" m1 ·", "/help lists the commands")
	p.press("/model", "Enter")
	p.sees("Which model should answer?", "▸ mine m1", "$3/$15 · 200k · sees · thinks", "(!) takes no tools  9k")
	p.press("m2", "Enter")
	p.sees(" m2 ·", "From now on Marvin starts with this model in ~/project")
	p.press("BTab") // m2 is not known to take any step, so that usual ones are tried
	p.sees(" m2 · effort low ·")
	p.press("C-d")
	p.leaves()
	p.clear()
	p.press("cd sub; marvin --plain", "Enter")
	p.sees("Marvin (mine m2)", "You:")
	p.press("C-p")
	p.sees("now asking mine m1")
	p.press("BTab")
	p.sees("m1 thinks at the level high")
	p.press("/model default", "Enter")
	p.sees("m1 decides how long it thinks")
	p.press("C-d")
	p.leaves()
	p.clear()
	p.press("marvin --plain", "Enter")
	p.sees("Marvin (mine m1)", "it is the default in config.yaml")
	p.press("C-d")
	p.leaves()
}

// A flag or a variable takes precedence over the stored choice. If the chosen model no longer
// exists, the user is told.
func TestChoiceThatIsGoneIsReported(t *testing.T) {
	t.Parallel()
	p, _ := atModels(t)
	p.press("cd project; marvin --plain", "Enter")
	p.sees("You:")
	p.press("/model mine m2", "Enter")
	p.sees("From now on Marvin starts with this")
	p.press("C-d")
	p.leaves()
	for line, want := range map[string]string{
		"marvin --plain":                      "Marvin (mine m2)",
		"marvin --plain --no-kept-model":      "Marvin (mine m1)",
		"marvin --plain --model mine/m1":      "Marvin (mine m1)",
		"LLM_PROVIDER=offline marvin --plain": "Marvin (offline built-in)",
	} {
		p.clear()
		p.press(line, "Enter")
		p.sees(want, "You:")
		p.press("C-d")
		p.leaves()
	}
	p.clear()
	p.press("sed -i s/mine/other/ ~/.config/marvin/choices.json; marvin --plain", "Enter")
	shown := p.sees("Marvin (mine m1)", "You:")
	if joined := strings.ReplaceAll(shown, "\n", ""); !strings.Contains(joined, "other m2, which you chose in this project, is no longer available") || !strings.Contains(joined, "mine m1 answers") {
		t.Error(shown)
	}
	p.press("C-d")
	p.leaves()
}
