package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/ui/slash"
)

// The docs are compared with the program: everything that they name exists, and everything that
// exists is documented.

// page returns a file below the root of the repository.
func page(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// pages returns all pages that are not generated, by name.
func pages(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(paths) < 5 {
		t.Fatalf("pages: %v, %v", paths, err)
	}
	all := map[string]string{"README.md": page(t, "README.md"), "CONTRIBUTING.md": page(t, "CONTRIBUTING.md"), "SECURITY.md": page(t, "SECURITY.md")}
	for _, path := range paths {
		name := filepath.Join("docs", filepath.Base(path))
		all[name] = page(t, name)
	}
	return all
}

// fenced returns the blocks of a page in a language.
func fenced(text, language string) []string {
	var blocks []string
	for _, rest := range strings.Split(text, "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(rest, "\n```")
		blocks = append(blocks, block)
	}
	return blocks
}

func TestTheFirstCommandsOfTheReadmeExist(t *testing.T) {
	blocks := fenced(page(t, "README.md"), "console")
	if len(blocks) == 0 {
		t.Fatal("the README begins with no commands")
	}
	makefile, found := page(t, "Makefile"), 0
	for line := range strings.SplitSeq(blocks[0], "\n") {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "$" || words[1] != "make" {
			t.Errorf("%q is no make target", line)
			continue
		}
		found++
		if !strings.Contains(makefile, "\n"+words[2]+":") {
			t.Errorf("there is no target %q", words[2])
		}
	}
	if found != 2 {
		t.Errorf("%d commands, not one that works and one that tests", found)
	}
}

// Each make command that a page names is a target.
func TestMakeTargetsThatPagesNameExist(t *testing.T) {
	makefile, named := page(t, "Makefile"), regexp.MustCompile("(?m)(?:`|\\$ )make ([a-z][a-z-]*)")
	found := 0
	for name, text := range pages(t) {
		for _, target := range named.FindAllStringSubmatch(text, -1) {
			found++
			if !strings.Contains(makefile, "\n"+target[1]+":") {
				t.Errorf("%s names make %s, which there is not", name, target[1])
			}
		}
	}
	if found < 12 {
		t.Errorf("only %d targets on all pages", found)
	}
}

func TestEveryOptionIsDocumented(t *testing.T) {
	names := regexp.MustCompile(`--[a-z][a-z-]+`)
	var written strings.Builder
	for name, text := range pages(t) {
		if name != "docs/tools.md" { // made from the program
			written.WriteString(text)
		}
	}
	documented := names.FindAllString(written.String(), -1)
	seen := 0
	for _, args := range [][]string{
		{"--help"},
		{"batch", "--help"},
		{"tools", "--help"},
		{"tool", "--help"},
		{"permissions", "explain", "--help"},
		{"permissions", "try", "--help"},
		{"hooks", "test", "--help"},
		{"config", "list", "--help"},
		{"sessions", "list", "--help"},
		{"sessions", "rename", "--help"},
		{"sessions", "rm", "--help"},
		{"sessions", "prune", "--help"},
	} {
		var help bytes.Buffer
		if _, _, done, err := parse(args, &help); err != nil || !done {
			t.Fatalf("%q: %v", args, err)
		}
		for _, option := range names.FindAllString(help.String(), -1) {
			seen++
			if !slices.Contains(documented, option) {
				t.Errorf("%s (marvin %s) is nowhere in README.md and docs", option, strings.Join(args, " "))
			}
		}
	}
	if seen < 15 {
		t.Errorf("help shows only %d options", seen)
	}
}

// The settings are taken from the error with which the reader of config.yaml lists them for an
// unknown setting.
func TestEverySettingIsDocumented(t *testing.T) {
	examples := fenced(page(t, "docs/configuration.md"), "yaml")
	if len(examples) == 0 {
		t.Fatal("docs/configuration.md has no example")
	}
	home := t.TempDir()
	read := func(text string) error {
		path := filepath.Join(home, ".config", "marvin", "config.yaml")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		_, err := settings.Read(persistence.Open(home, time.Now))
		return err
	}
	if err := read(examples[0]); err != nil {
		t.Errorf("the example of docs/configuration.md: %v", err)
	}
	known := regexp.MustCompile(`\(there are ([a-z_, ]+)\)`)
	for _, stranger := range []string{"xxxxxxxxxxxxxxxx: 1\n", "context:\n  xxxxxxxxxxxxxxxx: 1\n"} {
		list := known.FindStringSubmatch(read(stranger).Error())
		if list == nil {
			t.Fatalf("%q: the error does not say which settings there are", stranger)
		}
		for _, setting := range strings.Split(list[1], ", ") {
			if !regexp.MustCompile(`\b` + setting + `:`).MatchString(examples[0]) {
				t.Errorf("%q is not in the example of docs/configuration.md", setting)
			}
		}
	}
}

// Every variable that the program reads by name is documented.
func TestEveryVariableIsDocumented(t *testing.T) {
	var written strings.Builder
	for _, text := range pages(t) {
		written.WriteString(text)
	}
	// These variables are no settings: shells, terminals and desktops set them, or they mark the
	// commands of a conversation.
	said := []string{"SHELL", "PATH", "HOME", "TMUX", "STY", "TERM_PROGRAM", "COLORFGBG", "DISPLAY", "WAYLAND_DISPLAY", "GO_FLAGS_COMPLETION", "MARVIN_CALL", "GOGC"}
	found := map[string]bool{}
	for _, provider := range providers.Catalog {
		for _, variable := range []string{provider.KeyVar, provider.ModelVar, provider.URLVar} {
			if !strings.Contains(written.String(), variable) {
				t.Errorf("%s of %s is nowhere in README.md and docs", variable, provider.Name)
			}
		}
	}
	eachFile(t, func(path string, file *ast.File, set *token.FileSet) {
		if strings.Contains(path, "test/") { // modeltest, disktest and their like
			return
		}
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch asks := call.Fun.(type) {
			case *ast.SelectorExpr:
				name = asks.Sel.Name
			case *ast.Ident:
				name = asks.Name
			}
			if !strings.EqualFold(name, "getenv") && name != "LookupEnv" {
				return true
			}
			for _, argument := range call.Args {
				if literal, ok := argument.(*ast.BasicLit); ok {
					variable := strings.Trim(literal.Value, `"`)
					found[variable] = true
					if !slices.Contains(said, variable) && !regexp.MustCompile(`\b`+variable+`\b`).MatchString(written.String()) {
						t.Errorf("%s: %s is nowhere in README.md and docs", set.Position(call.Pos()), variable)
					}
				}
			}
			return true
		})
	})
	if len(found) < 15 || !found["MARVIN_CONTACT"] {
		t.Errorf("only %v", slices.Sorted(maps.Keys(found)))
	}
}

// docs/commands.md ends with the tables that /help and marvin --help print.
func TestTheCommandsPageListsEveryCommand(t *testing.T) {
	var tables strings.Builder
	tables.WriteString("\n## In a conversation\n")
	group := slash.Group("")
	for _, entry := range slash.Table {
		if entry.Group != group {
			group = entry.Group
			fmt.Fprintf(&tables, "\n### %s\n\n| command | what it does |\n|---|---|\n", strings.ToUpper(string(group[:1]))+string(group[1:]))
		}
		usage := strings.TrimSpace(entry.Name + " " + entry.Arguments)
		fmt.Fprintf(&tables, "| `%s` | %s |\n", strings.ReplaceAll(usage, "|", `\|`), entry.Help)
	}
	tables.WriteString("\n## In a shell\n\n| command | what it does |\n|---|---|\n")
	for _, below := range newParser(&commands{}).Commands() {
		if !below.Hidden {
			fmt.Fprintf(&tables, "| `marvin %s` | %s |\n", below.Name, below.ShortDescription)
		}
	}
	const name = "docs/commands.md"
	head, rest, _ := strings.Cut(page(t, name), "\n## In a conversation\n")
	if "\n## In a conversation\n"+rest == tables.String() {
		return
	}
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		if err := os.WriteFile(filepath.Join("..", "..", name), []byte(head+tables.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the commands changed; make golden rewrites %s, which should end with\n%s", name, tables.String())
}

// Links between pages are valid, and every picture can be drawn and is used.
func TestLinksAndPicturesExist(t *testing.T) {
	links, used := regexp.MustCompile(`(?:\]\(|src(?:set)?=")([^)#:"]+)(#[^)]*)?[)"]`), map[string]bool{}
	for name, text := range pages(t) {
		for _, link := range links.FindAllStringSubmatch(text, -1) {
			target := filepath.Join(filepath.Dir(name), link[1])
			used[target] = true
			if _, err := os.Stat(filepath.Join("..", "..", target)); err != nil {
				t.Errorf("%s links to %s: %v", name, link[1], err)
			}
		}
	}
	pictures, err := filepath.Glob(filepath.Join("..", "..", "docs", "images", "*"))
	if err != nil || len(pictures) == 0 {
		t.Fatalf("pictures: %v, %v", pictures, err)
	}
	for _, picture := range pictures {
		name := filepath.Join("docs", "images", filepath.Base(picture))
		if !used[name] {
			t.Errorf("%s is on no page", name)
		}
		if strings.HasSuffix(name, ".png") {
			if _, err := png.DecodeConfig(strings.NewReader(page(t, name))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		decoder := xml.NewDecoder(strings.NewReader(page(t, name)))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}
