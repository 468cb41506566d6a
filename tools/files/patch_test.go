package files

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
)

func TestReplaceInFile(t *testing.T) {
	p := newProject(t, map[string]string{"a.go": "package a\r\n\r\nfunc f() {\r\n\treturn\r\n}\r\n"})
	if err := os.Chmod(filepath.Join(p.dir, "a.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := p.run("apply_patch", `{"path":"a.go","old_str":"func f() {\n\treturn\n}","new_str":"func f() int {\n\treturn 1 // $1\n}"}`)
	if err != nil || out.Text != "Patched a.go at line 3: +2 -2, now 5 lines." {
		t.Errorf("%q, %v", out.Text, err)
	}
	if got := p.get("a.go"); got != "package a\r\n\r\nfunc f() int {\r\n\treturn 1 // $1\r\n}\r\n" {
		t.Errorf("%q", got)
	}
	want := "--- a/a.go\n+++ b/a.go\n@@ -1,5 +1,5 @@\n package a\n \n-func f() {\n-\treturn\n+func f() int {\n+\treturn 1 // $1\n }\n"
	if out.View == nil || out.View.Kind != messages.Diff || out.View.Text != want {
		t.Errorf("view %+v", out.View)
	}
	if info, _ := os.Stat(filepath.Join(p.dir, "a.go")); info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v", info.Mode())
	}
	p.ok("apply_patch", "file_path", "a.go:4:11", "old_string", " // $1")
	if strings.Contains(p.get("a.go"), "$1") {
		t.Error("an empty new_str does not delete")
	}
}

func TestReplaceErrorsSayWhere(t *testing.T) {
	files := map[string]string{"f": "a\nb\na\n", "utf16": "\xff\xfea\x00", "nul": "a\x00b"}
	p := newProject(t, files)
	p.fails([]string{"f: the text to replace occurs more than once: at lines 1 and 3"}, "apply_patch", "path", "f", "old_str", "a", "new_str", "x")
	p.fails([]string{"not in the file"}, "apply_patch", "path", "f", "old_str", "zzz", "new_str", "x")
	p.fails([]string{"UTF-16"}, "apply_patch", "path", "utf16", "old_str", "a", "new_str", "x")
	p.fails([]string{"NUL byte"}, "apply_patch", "path", "nul", "old_str", "a", "new_str", "x")
	p.fails([]string{"not exist", "It contains:\n  f\n"}, "apply_patch", "path", "g", "old_str", "a")
	p.fails([]string{"does not say what to change"}, "apply_patch", "path", "f")
	p.unchanged(files)
}

func TestEditAfterExternalChange(t *testing.T) {
	p := newProject(t, map[string]string{"f": "one two\n"})
	path := filepath.Join(p.dir, "f")
	stamp := time.Unix(1_700_000_000, 0)
	touch := func() {
		if err := os.Chtimes(path, stamp, stamp); err != nil {
			t.Fatal(err)
		}
	}
	touch()
	p.ok("read_file", "path", "f", "start_line", 1)
	p.put("f", "one TWO\n") // same size
	touch()                 // same time
	p.fails([]string{"changed since it was read", "read_file"}, "apply_patch", "path", "f", "old_str", "one two", "new_str", "1")
	p.fails([]string{"changed since it was read"}, "apply_patch", "patch", "*** Begin Patch\n*** Delete File: f\n*** End Patch")
	if p.get("f") != "one TWO\n" {
		t.Errorf("%q", p.get("f"))
	}
	p.ok("read_file", "path", "f")
	p.ok("apply_patch", "path", "f", "old_str", "one", "new_str", "1")
	p.ok("apply_patch", "path", "f", "old_str", "1", "new_str", "2") // what was written counts as seen
	p.put("f", "3 TWO\n")
	p.fails([]string{"changed"}, "apply_patch", "path", "f", "old_str", "2", "new_str", "x")
}

func TestStaleFilesAreMerged(t *testing.T) {
	p := newProject(t, map[string]string{"f": "one\ntwo\nthree\n"})
	p.ok("read_file", "path", "f")
	p.put("f", "ONE\ntwo\nthree\n")
	for i, args := range [][]any{{"path", "f", "old_str", "two", "new_str", "2"}, {"patch", "*** Begin Patch\n*** Update File: f\n@@\n-three\n+3\n*** End Patch"}} {
		if says := p.ok("apply_patch", args...); !strings.Contains(says, "f changed since it was read; the edit was merged") {
			t.Errorf("%d: %s", i, says)
		}
	}
	p.unchanged(map[string]string{"f": "ONE\n2\n3\n"})
	p.ok("read_file", "path", "f")
	if says := p.ok("apply_patch", "path", "f", "old_str", "2", "new_str", "zwei"); strings.Contains(says, "merged") {
		t.Error(says)
	}
}

func TestTheResultSaysWhatWasMended(t *testing.T) {
	p := newProject(t, map[string]string{"f.go": "func f() {\n\treturn\n}\n"})
	if says := p.ok("apply_patch", "path", "f.go", "old_str", "    return", "new_str", "    panic(1)"); !strings.Contains(says, "(adjusted to fit the file: indentation)") {
		t.Error(says)
	}
	p.unchanged(map[string]string{"f.go": "func f() {\n\tpanic(1)\n}\n"})
}

func TestSeenThroughALink(t *testing.T) {
	p := newProject(t, map[string]string{"real": "one\n"})
	if err := os.Symlink("real", filepath.Join(p.dir, "link")); err != nil {
		t.Fatal(err)
	}
	p.ok("read_file", "path", "link")
	p.put("real", "two\n")
	p.fails([]string{"changed"}, "apply_patch", "path", "real", "old_str", "one", "new_str", "x")
}

const wholePatch = `*** Begin Patch
*** Update File: src/a.go
@@ func two() {
-	return 2
+	return 22
*** Add File: docs/new.md
+# New
*** Update File: old.txt
*** Move to: moved/new.txt
@@
-hello
+goodbye
*** Delete File: gone.txt
*** End Patch`

var patchFiles = map[string]string{
	"src/a.go": "func one() {\n\treturn 2\n}\n\nfunc two() {\n\treturn 2\n}\n",
	"old.txt":  "hello\r\n", "gone.txt": "bye\n",
}

func TestCodexPatchInEveryShape(t *testing.T) {
	quoted := func(text string) string {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for name, raw := range map[string]string{
		"bare text":         wholePatch,
		"JSON string":       quoted(wholePatch),
		"patch":             object("patch", wholePatch),
		"input":             object("input", wholePatch),
		"__raw_patch":       object("__raw_patch", wholePatch),
		"with a path":       object("path", "src/a.go", "patch", wholePatch),
		"in old_str":        object("path", "src/a.go", "old_str", wholePatch),
		"in new_str":        object("path", "", "old_str", "", "new_str", wholePatch),
		"object in string":  quoted(object("input", wholePatch)),
		"in a fence":        "```\n" + wholePatch + "\n```",
		"in a shell string": object("command", "apply_patch <<'EOF'\n"+wholePatch+"\nEOF\n"),
	} {
		p := newProject(t, patchFiles)
		out, err := p.run("apply_patch", raw)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := "Updated src/a.go at line 6: 1 hunk, +1 -1, now 7 lines\n" +
			"Added docs/new.md (1 line)\n" +
			"Updated old.txt at line 1: 1 hunk, +1 -1, now 1 line; moved to moved/new.txt\n" +
			"Deleted gone.txt"
		if out.Text != want {
			t.Errorf("%s:\n%s", name, out.Text)
		}
		p.unchanged(map[string]string{
			"src/a.go":      "func one() {\n\treturn 2\n}\n\nfunc two() {\n\treturn 22\n}\n",
			"docs/new.md":   "# New\n",
			"moved/new.txt": "goodbye\r\n",
		})
		for _, part := range []string{"+++ b/docs/new.md", "--- a/gone.txt\n+++ /dev/null", "+	return 22"} {
			if !strings.Contains(out.View.Text, part) {
				t.Errorf("%s: the diff lacks %q:\n%s", name, part, out.View.Text)
			}
		}
	}
}

// No beginning of the arguments may do anything: not as text, not as JSON.
func TestArgsCutAtEveryByte(t *testing.T) {
	p := newProject(t, patchFiles)
	tool := Tools()[3]
	for _, whole := range []string{wholePatch, object("patch", wholePatch), object("path", "gone.txt", "old_str", "bye", "new_str", "hello")} {
		for cut := range len(whole) {
			call, err := tool.Decode(json.RawMessage(whole[:cut]))
			if err != nil {
				continue
			}
			if out, err := call.Run(context.Background(), p.env); err == nil {
				t.Fatalf("cut at %d of %d: %s", cut, len(whole), out.Text)
			}
		}
	}
	p.unchanged(patchFiles)
}

func TestCodexPatchIsAllOrNothing(t *testing.T) {
	good := "*** Begin Patch\n*** Update File: src/a.go\n@@ func two() {\n-\treturn 2\n+\treturn 3\n*** Add File: new/x\n+x\n"
	for name, row := range map[string]struct{ bad, says string }{
		"hunk":             {"*** Update File: old.txt\n@@\n-nothing\n+x\n", "section 3 of 3: old.txt: hunk 1 (line 9 of the patch): the text to replace is not in the file"},
		"missing file":     {"*** Update File: olf.txt\n@@\n-a\n+b\n", `Did you mean "old.txt"?`},
		"existing file":    {"*** Add File: old.txt\n+x\n", "use *** Update File: old.txt"},
		"taken name":       {"*** Update File: old.txt\n*** Move to: gone.txt\n", "file already exists"},
		"outside":          {"*** Add File: ../evil\n+x\n", "outside of the directory"},
		"delete missing":   {"*** Delete File: nowhere\n", "not exist"},
		"delete directory": {"*** Delete File: src\n", "is a directory"},
		"twice deleted":    {"*** Delete File: gone.txt\n*** Update File: gone.txt\n@@\n-bye\n+x\n", "the same change removes"},
		"ambiguous":        {"*** Update File: src/a.go\n@@\n }\n+x\n", "lines 3 and 7"},
	} {
		p := newProject(t, patchFiles)
		p.fails([]string{"nothing was changed", row.says}, "apply_patch", "patch", good+row.bad+"*** End Patch")
		p.unchanged(patchFiles)
		if _, err := os.Stat(filepath.Join(p.dir, "new")); err == nil {
			t.Errorf("%s: a directory is left", name)
		}
	}
}

func TestCodexSectionsSeeOneAnother(t *testing.T) {
	p := newProject(t, map[string]string{"a": "1\n", "b": "2\n"})
	p.ok("apply_patch", "patch", "*** Begin Patch\n*** Update File: a\n@@\n-1\n+one\n*** Update File: a\n@@\n-one\n+ONE\n"+
		"*** Delete File: b\n*** Add File: b\n+fresh\n*** Update File: a\n*** Move to: c\n*** Add File: a\n+new a\n*** End Patch")
	p.unchanged(map[string]string{"a": "new a\n", "b": "fresh\n", "c": "ONE\n"})
}

func TestFileThatContainsAPatchIsEditedAsText(t *testing.T) {
	p := newProject(t, map[string]string{"doc.md": "Write\n*** Begin Patch\n...\n*** End Patch\n"})
	p.ok("apply_patch", "path", "doc.md", "old_str", "*** Begin Patch\n...", "new_str", "*** Begin Patch\n+x")
	if got := p.get("doc.md"); got != "Write\n*** Begin Patch\n+x\n*** End Patch\n" {
		t.Errorf("%q", got)
	}
}

func TestDiffShowsHiddenCharacters(t *testing.T) {
	p := newProject(t, map[string]string{"f": "a\n"})
	out, err := p.run("apply_patch", object("path", "f", "old_str", "a", "new_str", "x\u202ey\x1b[31m"))
	if err != nil || strings.ContainsAny(out.View.Text, "\u202e\x1b") || !strings.Contains(out.View.Text, "‹U+202E›") {
		t.Errorf("%q, %v", out.View.Text, err)
	}
	if p.get("f") != "x\u202ey\x1b[31m\n" {
		t.Errorf("the file itself: %q", p.get("f"))
	}
}

// Diffs of git change whether a file can be run.
func TestADiffChangesTheModeOfAFile(t *testing.T) {
	p := newProject(t, map[string]string{"run": "a\n"})
	p.ok("apply_patch", "patch", "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n--- a/run\n+++ b/run\n@@ -1 +1 @@\n-a\n+b\n"+
		"diff --git a/made b/made\nnew file mode 100755\n--- /dev/null\n+++ b/made\n@@ -0,0 +1 @@\n+c\n")
	for _, name := range []string{"run", "made"} {
		if info, err := os.Stat(filepath.Join(p.dir, name)); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
