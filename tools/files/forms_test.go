package files

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
)

// formFiles are what the patches of the tables below change.
var formFiles = map[string]string{"src/a.go": "package a\n\nvar x = 1\nvar y = 1\n", "b.txt": "one\r\ntwo\r\nthree\r\n", "open.txt": "first\nlast", "d.txt": "- \n12\n"}

const twoFileDiff = `diff --git a/src/a.go b/src/a.go
index 123..456 100644
--- a/src/a.go
+++ b/src/a.go
@@ -1,4 +1,4 @@ package a
 package a
 
-var x = 1
+var x = 2
 var y = 1
--- a/b.txt
+++ b/b.txt
@@ -1,3 +1,2 @@
 one
-two
 three
`

const block = "<<<<<<< SEARCH\nvar x = 1\n=======\nvar x = 2\n>>>>>>> REPLACE\n"

// Every form that models write is a change of the same files.
func TestEveryFormIsAccepted(t *testing.T) {
	x2 := map[string]string{"src/a.go": "package a\n\nvar x = 2\nvar y = 1\n"}
	both := map[string]string{"src/a.go": x2["src/a.go"], "b.txt": "one\r\nthree\r\n"}
	for name, row := range map[string]struct {
		args string
		want map[string]string // what is changed; "" is gone
	}{
		"diff of two files":            {object("patch", twoFileDiff), both},
		"diff in a fence":              {object("patch", "Here it is:\n```diff\n"+twoFileDiff+"```\n"), both},
		"diff under another name":      {object("diff", twoFileDiff), both},
		"diff without prefixes":        {object("patch", "--- src/a.go\n+++ src/a.go\n@@ -3 +3 @@\n-var x = 1\n+var x = 2\n"), x2},
		"diff with times":              {object("patch", "--- src/a.go\t2026-01-01 10:00:00\n+++ src/a.go\t2026-01-02\n@@ -3 +3 @@\n-var x = 1\n+var x = 2\n"), x2},
		"diff with wrong numbers":      {object("patch", "--- a/src/a.go\n+++ b/src/a.go\n@@ -90,7 +95,3 @@\n-var x = 1\n+var x = 2\n"), x2},
		"diff without numbers":         {object("patch", "--- a/src/a.go\n+++ b/src/a.go\n@@\n-var x = 1\n+var x = 2"), x2},
		"mails":                        {object("patch", "From 1f2 Mon Sep 17 00:00:00 2001\nSubject: [PATCH 1/2] two\n---\n src/a.go | 2 +-\n\n"+twoFileDiff[:strings.Index(twoFileDiff, "--- a/b.txt")]+"-- \n2.39.2 (Apple Git-143)\n\nFrom 3a4 Mon Sep 17 00:00:00 2001\nSubject: [PATCH 2/2] shorter\n---\n b.txt | 1 -\n\n--- a/b.txt\n+++ b/b.txt\n@@ -1,3 +1,2 @@\n one\n-two\n three\n--\n2.39.2\n\n"), both},
		"dashes that go":               {object("patch", "--- a/d.txt\n+++ b/d.txt\n@@ -1,2 +1 @@\n-- \n 12\n"), map[string]string{"d.txt": "12\n"}},
		"diff in CRLF":                 {object("patch", "--- a/src/a.go\r\n+++ b/src/a.go\r\n@@ -3 +3 @@\r\n-var x = 1\r\n+var x = 2\r\n"), x2},
		"hunks with a path":            {object("path", "src/a.go", "patch", "@@ -3 +3 @@\n-var x = 1\n+var x = 2\n"), x2},
		"diff of a new file":           {object("patch", "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n"), map[string]string{"n.txt": "a\nb\n"}},
		"new file without a newline":   {object("patch", "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"), map[string]string{"n.txt": "a"}},
		"diff of a file that goes":     {object("patch", "--- a/b.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n"), map[string]string{"b.txt": ""}},
		"diff that only moves":         {object("patch", "diff --git a/b.txt b/c/d.txt\nsimilarity index 100%\nrename from b.txt\nrename to c/d.txt\n"), map[string]string{"b.txt": "", "c/d.txt": "one\r\ntwo\r\nthree\r\n"}},
		"diff that adds an empty file": {object("patch", "diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n"), map[string]string{"e": "\x00"}},
		"quoted name":                  {object("patch", "--- \"a/src/a.go\"\n+++ \"b/src/a.go\"\n@@ -3 +3 @@\n-var x = 1\n+var x = 2\n"), x2},
		"block":                        {object("patch", "src/a.go\n"+block), x2},
		"block with a path":            {object("path", "src/a.go", "patch", "Change it so:\n"+block), x2},
		"block in a fence":             {object("patch", "**src/a.go**\n```go\n"+block+"```\n"), x2},
		"blocks of two files":          {object("patch", "src/a.go\n"+block+"\nb.txt:\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE"), both},
		"blocks of one file":           {object("patch", "src/a.go\n"+block+"<<<<<<< SEARCH\nvar y = 1\n=======\nvar y = 3\n>>>>>>> REPLACE"), map[string]string{"src/a.go": "package a\n\nvar x = 2\nvar y = 3\n"}},
		"block of a new file":          {object("patch", "n.txt\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE"), map[string]string{"n.txt": "new\n"}},
		"block of dashes":              {object("patch", "src/a.go\n------- SEARCH\nvar x = 1\n=======\nvar x = 2\n+++++++ REPLACE"), x2},
		"Codex without its frame":      {object("patch", "*** Update File: src/a.go\n@@\n-var x = 1\n+var x = 2\n"), x2},
		"end with blanks before":       {object("patch", "*** Begin Patch\n*** Update File: src/a.go\n@@\n-var x = 1\n+var x = 2\n *** End Patch"), x2},
		"edits":                        {`{"path":"src/a.go","edits":[{"old_str":"x = 1","new_str":"x = 2"},{"old_str":"x = 2\nvar y = 1","new_str":"x = 2\nvar y = 3"}]}`, map[string]string{"src/a.go": "package a\n\nvar x = 2\nvar y = 3\n"}},
		"edits by other names":         {`{"path":"src/a.go","edits":[{"oldText":"x = 1","newText":"x = 2"}]}`, x2},
		"one edit for a list":          {`{"path":"src/a.go","edits":{"old_string":"x = 1","new_string":"x = 2"}}`, x2},
		"replace_all":                  {object("path", "src/a.go", "old_str", "= 1", "new_str", "= 7", "replace_all", true), map[string]string{"src/a.go": "package a\n\nvar x = 7\nvar y = 7\n"}},
		"replace_all over line ends":   {object("path", "b.txt", "old_str", "\nt", "new_str", "\n-\nT", "replace_all", true), map[string]string{"b.txt": "one\r\n-\r\nTwo\r\n-\r\nThree\r\n"}},
		"replace_all of one":           {object("path", "src/a.go", "old_str", "x = 1", "new_str", "x = 2", "replace_all", true), x2},
		"empty fields of strict calls": {`{"path":"src/a.go","old_str":"x = 1","new_str":"x = 2","edits":[],"patch":"","replace_all":false}`, x2},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, formFiles)
			if out, err := p.run("apply_patch", row.args); err != nil {
				t.Fatalf("%s, %v", out.Text, err)
			}
			p.left(row.want)
		})
	}
}

// left compares the project with formFiles and what was changed of them.
func (p *project) left(changed map[string]string) {
	p.t.Helper()
	want := map[string]string{}
	for _, files := range []map[string]string{formFiles, changed} {
		for file, content := range files {
			want[file] = content
			switch content {
			case "":
				delete(want, file)
			case "\x00":
				want[file] = ""
			}
		}
	}
	p.unchanged(want)
}

func TestPatchFormErrors(t *testing.T) {
	for name, row := range map[string]struct {
		args string
		says []string
	}{
		"nothing":            {`{}`, []string{"does not say what to change", `{"patch": "..."}`}},
		"prose":              {object("patch", "please change x"), []string{"none of the three forms", "*** Begin Patch"}},
		"two forms":          {object("path", "b.txt", "old_str", "one", "patch", twoFileDiff), []string{"only one of the two"}},
		"hunks of no file":   {object("patch", "@@ -1 +1 @@\n-a\n+b\n"), []string{"does not say which file", `give "path"`}},
		"block of no file":   {object("patch", block), []string{"write the path of the file on the line before"}},
		"block without end":  {object("patch", "b.txt\n<<<<<<< SEARCH\none\n=======\n1\n"), []string{"cut off"}},
		"block in two parts": {object("patch", "b.txt\n<<<<<<< SEARCH\none\n=======\n1\n=======\n2\n>>>>>>> REPLACE"), []string{"two ======= lines"}},
		"behind the fence":   {object("patch", "```diff\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-one\n+1\n```\n+zwei\n"), []string{"belongs to no hunk: \"+zwei\""}},
		"behind its index":   {object("patch", "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-one\n+1\nIndex: b.txt\n-two\n"), []string{"belongs to no hunk: \"-two\""}},
		"half of a deletion": {object("patch", "--- a/b.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"), []string{"lines that the diff does not show"}},
		"second file misses": {object("patch", twoFileDiff+"--- a/zzz\n+++ b/zzz\n@@ -1 +1 @@\n-a\n+b\n"), []string{"nothing was changed: section 3 of 3", "not exist"}},
		"second edit misses": {`{"path":"b.txt","edits":[{"old_str":"one","new_str":"1"},{"old_str":"nine","new_str":"9"}]}`, []string{"edit 2 of 2 (nothing was changed)"}},
		"binary":             {object("patch", "diff --git a/b.txt b/b.txt\nGIT binary patch\nliteral 3\n"), []string{"binary"}},
		"outside":            {object("patch", "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n"), []string{"outside of the directory"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, formFiles)
			p.failsRaw(row.says, "apply_patch", row.args)
			p.left(nil)
		})
	}
}

func TestAbsolutePathsInsideAreAccepted(t *testing.T) {
	p := newProject(t, formFiles)
	path := filepath.Join(p.dir, "src/a.go")
	p.ok("apply_patch", "path", path, "old_str", "x = 1", "new_str", "x = 2")
	p.ok("apply_patch", "patch", "*** Begin Patch\n*** Update File: "+path+"\n@@\n-var x = 2\n+var x = 3\n*** End Patch")
	p.ok("apply_patch", "patch", "--- "+path+"\n+++ "+path+"\n@@ -3 +3 @@\n-var x = 3\n+var x = 4\n")
	p.left(map[string]string{"src/a.go": "package a\n\nvar x = 4\nvar y = 1\n"})
	p.fails([]string{"outside"}, "apply_patch", "path", filepath.Join(filepath.Dir(p.dir), "other", "a.go"), "old_str", "x", "new_str", "y")
}

// The order of calls depends on the files that each of them names.
func TestPlacesOfEveryForm(t *testing.T) {
	p := newProject(t, formFiles)
	for name, row := range map[string]struct {
		args string
		want []string
	}{
		"text":         {object("path", "b.txt", "old_str", "one"), []string{"b.txt"}},
		"edits":        {`{"path":"b.txt","edits":[{"old_str":"a"}]}`, []string{"b.txt"}},
		"diff":         {object("patch", twoFileDiff), []string{"src/a.go", "b.txt"}},
		"diff, moved":  {object("patch", "diff --git a/b.txt b/c.txt\nrename from b.txt\nrename to c.txt\n"), []string{"b.txt", "c.txt"}},
		"diff, new":    {object("patch", "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"), []string{"n"}},
		"blocks":       {object("patch", "src/a.go\n"+block+"b.txt\n"+block), []string{"src/a.go", "b.txt"}},
		"block, path":  {object("path", "src/a.go", "patch", block), []string{"src/a.go"}},
		"Codex":        {object("patch", "*** Begin Patch\n*** Update File: b.txt\n*** Move to: c\n*** Delete File: d\n*** End Patch"), []string{"b.txt", "c", "d"}},
		"absolute":     {object("path", filepath.Join(p.dir, "b.txt"), "old_str", "one"), []string{"b.txt"}},
		"not a patch":  {object("patch", "words"), []string{"."}},
		"nothing said": {`{}`, []string{"."}},
	} {
		call, err := patchTool().Decode(json.RawMessage(row.args))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var want []tools.Place
		for _, path := range row.want {
			want = append(want, p.env.PlaceAt(path, true))
		}
		got := call.Places(p.env)
		if len(got) != len(want) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %+v, want %+v", name, got[i], want[i])
			}
		}
	}
}
