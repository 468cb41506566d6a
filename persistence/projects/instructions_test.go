package projects

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestInstructionsFirstNonEmptyWins(t *testing.T) {
	home, project := t.TempDir(), filepath.Join(t.TempDir(), "a_b", "c")
	h := store.Open(home, storetest.Now)
	mine := filepath.Join(home, ".marvin", "instructions", strings.ReplaceAll(strings.Trim(project, "/"), "/", "_")+".md")
	order := []string{filepath.Join(project, ".marvin", "instructions.md"), filepath.Join(project, ".marvin-instructions"), mine}
	storetest.Must(t, os.MkdirAll(project, 0o700))
	if got, err := Instructions(h, project); got != (Text{}) || err != nil {
		t.Errorf("nothing there: %+v, %v", got, err)
	}
	for _, path := range order { // each is preferred to those before it
		storetest.Put(t, path, "say "+path)
		if got, err := Instructions(h, project+"/"); err != nil || got.Text != "say "+path || got.Path != path {
			t.Errorf("got %+v, %v, want %s", got, err, path)
		}
	}
	storetest.Put(t, mine, " \n")
	if got, err := Instructions(h, project); err != nil || got.Path != order[1] {
		t.Errorf("an empty file hides the next: %+v, %v", got, err)
	}
}

func TestProjectDocumentsInOrder(t *testing.T) {
	project := t.TempDir()
	for name, text := range map[string]string{"design.md": "the design", "spec.md": "the spec", "ux.md": "  "} {
		storetest.Put(t, filepath.Join(project, ".marvin", name), text)
	}
	got, err := ProjectDocuments(project)
	if err != nil || len(got) != 2 || got[0].Text != "the spec" || got[1].Text != "the design" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := ProjectDocuments(t.TempDir()); got != nil || err != nil {
		t.Errorf("got %+v, %v", got, err)
	}
}

// The keys of the user must not become part of a prompt because of links in a cloned repository.
func TestProjectLinksLeadNowhereElse(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	storetest.Put(t, filepath.Join(home, ".ssh", "GEMINI_API_KEY"), "a secret")
	storetest.Put(t, filepath.Join(project, "docs", "spec.md"), "inside")
	storetest.Must(t, os.Mkdir(filepath.Join(project, ".marvin"), 0o700))
	storetest.Must(t, os.Symlink(filepath.Join(home, ".ssh", "GEMINI_API_KEY"), filepath.Join(project, ".marvin-instructions")))
	storetest.Must(t, os.Symlink("../docs/spec.md", filepath.Join(project, ".marvin", "spec.md")))
	got, err := Instructions(store.Open(home, storetest.Now), project)
	if got.Text != "" || err == nil || !strings.Contains(err.Error(), ".marvin-instructions") {
		t.Errorf("got %+v, %v", got, err)
	}
	if documents, err := ProjectDocuments(project); err != nil || len(documents) != 1 || documents[0].Text != "inside" {
		t.Errorf("got %+v, %v", documents, err)
	}
}
