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

// The folder of a project's tool has so many files and bytes, and one more is told; a README beside
// the folders is no tool, and what is neither file nor directory is none that is taken.
func TestTheFolderOfAProjectsToolHasBounds(t *testing.T) {
	brought := BroughtTools{Home: Open(t.TempDir(), now), Dir: t.TempDir()}
	folder := filepath.Join(brought.Dir, ProjectTools, "tool")
	const manifest = "description: Counts.\neffect: read\ncommand: [./run]\n"
	offered := func(want int, problem string) {
		t.Helper()
		offers, problems := brought.Offers()
		if len(offers) != want || (problem != "") != (len(problems) == 1) || problem != "" && !strings.HasSuffix(problems[0].Error(), problem) {
			t.Errorf("%d offers, %v", len(offers), problems)
		}
	}
	put(t, filepath.Join(folder, ToolManifest), manifest)
	put(t, filepath.Join(brought.Dir, ProjectTools, "README.md"), "no tool")
	put(t, filepath.Join(brought.Dir, ProjectTools, ".hidden", ToolManifest), manifest)
	put(t, filepath.Join(folder, "large"), strings.Repeat("x", mostToolBytes-len(manifest)))
	offered(1, "")
	put(t, filepath.Join(folder, "one"), "x")
	offered(0, "tool: it has more than 1024 KB; it is not offered")
	must(t, os.Remove(filepath.Join(folder, "large")))
	for n := range mostToolFiles - 2 { // with tool.yaml and one
		put(t, filepath.Join(folder, fmt.Sprint("file", n)), "")
	}
	offered(1, "")
	put(t, filepath.Join(folder, "more"), "")
	offered(0, "tool: it has more than 200 files and directories; it is not offered")
	must(t, os.Remove(filepath.Join(folder, "more")))
	must(t, os.Remove(filepath.Join(folder, "one")))
	must(t, os.Symlink("file1", filepath.Join(folder, "link")))
	offered(0, "tool: link is a link, and only files and directories are taken; it is not offered")
	must(t, os.RemoveAll(folder))
	must(t, os.Symlink("README.md", folder))
	offered(0, "tool is a link; a tool of a project is a directory")
	tools := filepath.Join(brought.Dir, ProjectTools)
	must(t, os.Rename(tools, tools+"-moved"))
	must(t, os.Symlink("tools-moved", tools))
	offered(0, ".marvin/tools is no directory but a link; tools of a project are read only from a directory of it")
	must(t, os.Remove(tools))
	offered(0, "")
	put(t, tools, "")
	offered(0, ".marvin/tools is no directory but a file; tools of a project are read only from a directory of it")
	must(t, os.RemoveAll(brought.Dir))
	offered(0, "")
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
