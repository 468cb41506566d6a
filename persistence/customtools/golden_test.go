package customtools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestToolYAML(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "my-tool")
	storetest.EachLine(t, "tools.golden", func(text string) string {
		storetest.Put(t, filepath.Join(folder, Manifest), text)
		tool, err := Read(folder)
		told := fmt.Sprintf("%s %q %s %q %s %q %q", tool.Name, tool.Description, tool.Effect, tool.Command, tool.Timeout, tool.Examples, tool.Parameters)
		if err != nil {
			told = "error: " + err.Error()
		}
		return strings.ReplaceAll(strings.ReplaceAll(told, folder, "FOLDER"), "\n", ` \n `)
	})
}

func TestFoldersOfToolsAreCounted(t *testing.T) {
	dir := t.TempDir()
	const manifest = "description: Counts.\neffect: read\ncommand: [./run]\n"
	add := func(dir string, from, to int) {
		for n := from; n < to; n++ {
			storetest.Put(t, filepath.Join(dir, fmt.Sprintf("tool_%03d", n), Manifest), manifest)
		}
	}
	add(dir, 0, mostTools)
	if list, problems := List(dir); len(list) != mostTools || len(problems) > 0 {
		t.Errorf("%d tools, %v", len(list), problems)
	}
	add(dir, mostTools, mostTools+1)
	if list, problems := List(dir); len(list) != mostTools || len(problems) != 1 || !strings.Contains(problems[0].Error(), fmt.Sprintf("has more than %d folders; the rest is left out", mostTools)) {
		t.Errorf("%d tools, %v", len(list), problems)
	}
	project := t.TempDir()
	brought := ProjectTools{Home: store.Open(t.TempDir(), storetest.Now), Dir: project}
	add(filepath.Join(project, ProjectDir), 0, mostOfferedTools)
	storetest.Put(t, filepath.Join(project, ProjectDir, "README.md"), "no folder")
	storetest.Must(t, os.RemoveAll(filepath.Join(project, ProjectDir, "README.md")))
	if offers, problems := brought.Offers(); len(offers) != mostOfferedTools || len(problems) > 0 {
		t.Errorf("%d offers, %v", len(offers), problems)
	}
	add(filepath.Join(project, ProjectDir), mostOfferedTools, mostOfferedTools+2)
	if offers, problems := brought.Offers(); len(offers) != mostOfferedTools || len(problems) != 1 || !strings.Contains(problems[0].Error(), "the rest is left out") {
		t.Errorf("%d offers, %v", len(offers), problems)
	}
}

func TestTheFolderOfAProjectsToolHasBounds(t *testing.T) {
	brought := ProjectTools{Home: store.Open(t.TempDir(), storetest.Now), Dir: t.TempDir()}
	folder := filepath.Join(brought.Dir, ProjectDir, "tool")
	const manifest = "description: Counts.\neffect: read\ncommand: [./run]\n"
	offered := func(want int, problem string) {
		t.Helper()
		offers, problems := brought.Offers()
		if len(offers) != want || (problem != "") != (len(problems) == 1) || problem != "" && !strings.HasSuffix(problems[0].Error(), problem) {
			t.Errorf("%d offers, %v", len(offers), problems)
		}
	}
	storetest.Put(t, filepath.Join(folder, Manifest), manifest)
	storetest.Put(t, filepath.Join(brought.Dir, ProjectDir, "README.md"), "no tool")
	storetest.Put(t, filepath.Join(brought.Dir, ProjectDir, ".hidden", Manifest), manifest)
	storetest.Put(t, filepath.Join(folder, "large"), strings.Repeat("x", mostToolBytes-len(manifest)))
	offered(1, "")
	storetest.Put(t, filepath.Join(folder, "one"), "x")
	offered(0, "tool: it has more than 1024 KB; it is not offered")
	storetest.Must(t, os.Remove(filepath.Join(folder, "large")))
	for n := range mostToolFiles - 2 { // with tool.yaml and one
		storetest.Put(t, filepath.Join(folder, fmt.Sprint("file", n)), "")
	}
	offered(1, "")
	storetest.Put(t, filepath.Join(folder, "more"), "")
	offered(0, "tool: it has more than 200 files and directories; it is not offered")
	storetest.Must(t, os.Remove(filepath.Join(folder, "more")))
	storetest.Must(t, os.Remove(filepath.Join(folder, "one")))
	storetest.Must(t, os.Symlink("file1", filepath.Join(folder, "link")))
	offered(0, "tool: link is a link, and only files and directories are allowed; it is not offered")
	storetest.Must(t, os.RemoveAll(folder))
	storetest.Must(t, os.Symlink("README.md", folder))
	offered(0, "tool is a link; a project's tool must be a directory")
	tools := filepath.Join(brought.Dir, ProjectDir)
	storetest.Must(t, os.Rename(tools, tools+"-moved"))
	storetest.Must(t, os.Symlink("tools-moved", tools))
	offered(0, ".marvin/tools is not a directory but a link; Marvin reads a project's tools only from a directory inside the project")
	storetest.Must(t, os.Remove(tools))
	offered(0, "")
	storetest.Put(t, tools, "")
	offered(0, ".marvin/tools is not a directory but a file; Marvin reads a project's tools only from a directory inside the project")
	storetest.Must(t, os.RemoveAll(brought.Dir))
	offered(0, "")
}

func TestNamesOfToolsHaveBounds(t *testing.T) {
	for name, good := range map[string]bool{
		"ab": false, "abc": true, "a_1": true, "1ab": false, "_ab": false, "aBc": false, "a-b": false, "": false,
		strings.Repeat("a", 48): true, strings.Repeat("a", 49): false, "zzz": true, "aä": false, "a00": true, "a99": true, "a{{": false, "a::": false, "a``": false, "a//": false,
	} {
		if err := CheckName(name); (err == nil) != good || err != nil && !strings.HasPrefix(err.Error(), fmt.Sprintf("%q is not a tool name", name)) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
