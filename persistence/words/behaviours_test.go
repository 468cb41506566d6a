package words

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// behaviour is a behavior that the documentation of another program describes.
type behaviour struct {
	id, source, says, differs string
	dir, touch, prompt, given string
	window                    int
	plain                     bool // no coding
	told, names               []string
	files                     []txtar.File
}

// behaviours reads a corpus.
func behaviours(t *testing.T, name string) (all []behaviour) {
	t.Helper()
	corpus, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split("\n"+string(corpus), "\n=== ")[1:] {
		archive := txtar.Parse([]byte(block))
		id, head, _ := strings.Cut(string(archive.Comment), "\n")
		one := behaviour{id: id, files: archive.Files, dir: "."}
		for line := range strings.Lines(head) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch key {
			case "source":
				one.source = value
			case "says":
				one.says = value
			case "differs":
				one.differs = value
			case "dir":
				one.dir = value
			case "touch":
				one.touch = value
			case "prompt":
				one.prompt = value
			case "given":
				one.given = value
			case "window":
				one.window, _ = strconv.Atoi(value)
			case "plain":
				one.plain = true
			case "told":
				one.told = strings.Fields(value)
			case "names":
				one.names = strings.Split(value, ", ")
			default:
				t.Fatalf("%s: %q", id, line)
			}
		}
		all = append(all, one)
	}
	return all
}

var marks = regexp.MustCompile(`mark-\w+`)

func TestDocumentedBehaviours(t *testing.T) {
	all := behaviours(t, "behaviours.txt")
	if len(all) < 60 {
		t.Errorf("only %d", len(all))
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "instructions.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		t.Run(one.id, func(t *testing.T) {
			if one.source == "" || one.says == "" {
				t.Error("no one knows where it is documented")
			}
			if one.differs != "" && !strings.Contains(string(page), "| "+one.says+" | "+one.differs+" |") {
				t.Errorf("docs/instructions.md does not say that it differs: %s", one.differs)
			}
			one.check(t)
		})
	}
}

// look writes the files of a behaviour and finds them.
func (b behaviour) look(t *testing.T) (found Inventory, home string) {
	t.Helper()
	home, project := t.TempDir(), repository(t, nil)
	for _, file := range b.files {
		dir, name := project, file.Name
		if below, found := strings.CutPrefix(name, "~/"); found {
			dir, name = home, below
		}
		text := strings.NewReplacer("LONG", strings.Repeat("x", 50_000), "HALF", strings.Repeat("y", 2500)).Replace(strings.TrimSuffix(string(file.Data), "\n"))
		if to, link := strings.CutPrefix(text, "->"); link {
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		put(t, dir, map[string]string{name: text})
	}
	query := Query{Dir: filepath.Join(project, b.dir), Home: home, Config: filepath.Join(home, ".config", "marvin"), Coding: !b.plain, Prompt: b.prompt, Window: b.window}
	if b.touch != "" {
		query.Touched = []string{filepath.Join(project, b.touch)}
	}
	library := Library{Taken: func(name string) bool { return name == "help" }}
	if b.given != "" {
		library.Given = []File{FromFlag(System, "--system-prompt", "", b.given)}
	}
	return library.Find(query), home
}

func (b behaviour) check(t *testing.T) {
	found, _ := b.look(t)
	if err := found.Problem(); err != nil {
		t.Error(err)
	}
	var told, names []string
	for _, file := range found.Files {
		switch {
		case !file.Used():
		case file.Kind == Skill || file.Kind == Command || file.Kind == Agent:
			name := string(file.Kind) + ":" + file.CallName()
			if slices.Contains(b.names, name+"="+file.Head.Description) {
				name += "=" + file.Head.Description
			}
			names = append(names, name)
		default:
			told = append(told, marks.FindAllString(file.Text, -1)...)
		}
	}
	if !slices.Equal(told, b.told) {
		t.Errorf("%s: told %v, want %v", b.says, told, b.told)
	}
	if !slices.Equal(names, b.names) {
		t.Errorf("%s: names %q, want %q", b.says, names, b.names)
	}
}
