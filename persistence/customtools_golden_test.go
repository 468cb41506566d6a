package persistence

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What each tool.yaml gives, or what is said against it, in a folder that is called my-tool.
func TestWhatAToolYAMLGives(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "my-tool")
	eachLine(t, "tools.golden", func(text string) string {
		put(t, filepath.Join(folder, ToolManifest), text)
		tool, err := ReadTool(folder)
		told := fmt.Sprintf("%s %q %s %q %s %q %q", tool.Name, tool.Description, tool.Effect, tool.Command, tool.Timeout, tool.Examples, tool.Parameters)
		if err != nil {
			told = "error: " + err.Error()
		}
		return strings.ReplaceAll(strings.ReplaceAll(told, folder, "FOLDER"), "\n", ` \n `)
	})
}

// A directory has so many folders of tools, and a project so many; what is more is told.
func TestFoldersOfToolsAreCounted(t *testing.T) {
	dir := t.TempDir()
	const manifest = "description: Counts.\neffect: read\ncommand: [./run]\n"
	add := func(dir string, from, to int) {
		for n := from; n < to; n++ {
			put(t, filepath.Join(dir, fmt.Sprintf("tool_%03d", n), ToolManifest), manifest)
		}
	}
	add(dir, 0, mostTools)
	if list, problems := CustomTools(dir); len(list) != mostTools || len(problems) > 0 {
		t.Errorf("%d tools, %v", len(list), problems)
	}
	add(dir, mostTools, mostTools+1)
	if list, problems := CustomTools(dir); len(list) != mostTools || len(problems) != 1 || !strings.Contains(problems[0].Error(), fmt.Sprintf("has more than %d folders; the rest is left out", mostTools)) {
		t.Errorf("%d tools, %v", len(list), problems)
	}
	project := t.TempDir()
	brought := BroughtTools{Home: Open(t.TempDir(), now), Dir: project}
	add(filepath.Join(project, ProjectTools), 0, mostOfferedTools)
	put(t, filepath.Join(project, ProjectTools, "README.md"), "no folder")
	must(t, os.RemoveAll(filepath.Join(project, ProjectTools, "README.md")))
	if offers, problems := brought.Offers(); len(offers) != mostOfferedTools || len(problems) > 0 {
		t.Errorf("%d offers, %v", len(offers), problems)
	}
	add(filepath.Join(project, ProjectTools), mostOfferedTools, mostOfferedTools+2)
	if offers, problems := brought.Offers(); len(offers) != mostOfferedTools || len(problems) != 1 || !strings.Contains(problems[0].Error(), "the rest is left out") {
		t.Errorf("%d offers, %v", len(offers), problems)
	}
}

func TestNamesOfToolsHaveBounds(t *testing.T) {
	for name, good := range map[string]bool{
		"ab": false, "abc": true, "a_1": true, "1ab": false, "_ab": false, "aBc": false, "a-b": false, "": false,
		strings.Repeat("a", 48): true, strings.Repeat("a", 49): false, "zzz": true, "aä": false, "a00": true, "a99": true, "a{{": false, "a::": false, "a``": false, "a//": false,
	} {
		if err := CheckToolName(name); (err == nil) != good || err != nil && !strings.HasPrefix(err.Error(), fmt.Sprintf("%q is no name of a tool", name)) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
