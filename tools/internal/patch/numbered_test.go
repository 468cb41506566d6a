package patch

import (
	"errors"
	"strings"
	"testing"
)

func TestLinesByCommands(t *testing.T) {
	const file = "1\n2\n3\n4\n5\n"
	for name, row := range map[string]struct{ file, patch, want string }{
		"replace":                 {file, "REPLACE 2\ntwo\nzwei\n", "1\ntwo\nzwei\n3\n4\n5\n"},
		"replace several":         {file, "REPLACE 2-4\nx", "1\nx\n5\n"},
		"replace by blank":        {file, "REPLACE 2\n\n", "1\n\n3\n4\n5\n"},
		"insert":                  {file, "INSERT 2\nx", "1\n2\nx\n3\n4\n5\n"},
		"insert first":            {file, "INSERT 0\nx", "x\n1\n2\n3\n4\n5\n"},
		"insert after_5":          {file, "INSERT after_5\nx", "1\n2\n3\n4\n5\nx\n"},
		"delete":                  {file, "DELETE 2", "1\n3\n4\n5\n"},
		"delete several":          {file, "delete 2 3\n", "1\n5\n"},
		"numbers of the original": {file, "DELETE 1\n---\nREPLACE 3\nx\n---\nINSERT 5\ny", "2\nx\n4\n5\ny\n"},
		"any order":               {file, "INSERT 4\ny\n---\nDELETE 1", "2\n3\n4\ny\n5\n"},
		"insert before replaced":  {file, "REPLACE 3\nx\n---\nINSERT 2\ny", "1\n2\ny\nx\n4\n5\n"},
		"@@ in the text":          {file, "REPLACE 1\n@@ -1,1 +1,1 @@\n-x", "@@ -1,1 +1,1 @@\n-x\n2\n3\n4\n5\n"},
		"separator at the end":    {file, "DELETE 1\n---\n", "2\n3\n4\n5\n"},
		"--- with more":           {file, "REPLACE 1\n----\n --- \n", "----\n --- \n2\n3\n4\n5\n"},
		"CRLF":                    {"1\r\n2\r\n", "INSERT 1\nx", "1\r\nx\r\n2\r\n"},
		"no final newline":        {"1\n2", "INSERT 2\n3", "1\n2\n3"},
		"empty file":              {"", "INSERT 0\nx", "x\n"},
	} {
		result, _, err := Lines([]byte(row.file), row.patch)
		if err != nil || string(result.Content) != row.want {
			t.Errorf("%s: %q, %v; want %q", name, result.Content, err, row.want)
		}
	}
}

func TestLinesByDiff(t *testing.T) {
	const file = "a\nb\nc\nd\ne\n"
	for name, row := range map[string]struct{ file, patch, want string }{
		"one hunk":               {file, "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nB\nc\nd\ne\n"},
		"two hunks":              {file, "@@ -1,2 +1,1 @@\n-a\n b\n@@ -4,2 +3,3 @@\n d\n+x\n e", "b\nc\nd\nx\ne\n"},
		"short counts":           {file, "@@ -2 +2 @@\n-b\n+B", "a\nB\nc\nd\ne\n"},
		"insertion":              {file, "@@ -2,0 +3,1 @@\n+x", "a\nb\nx\nc\nd\ne\n"},
		"wrong number":           {file, "@@ -1,2 +1,2 @@\n c\n-d\n+D", "a\nb\nc\nD\ne\n"},
		"named among several":    {"x\ny\nx\n", "@@ -3 +3 @@\n-x\n+z", "x\ny\nz\n"},
		"blank context":          {"a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "a\n\nc\n"},
		"rule and front matter":  {"---\ntitle: x\n---\ntext\n", "@@ -1,3 +1,3 @@\n ---\n-title: x\n+title: y\n ---", "---\ntitle: y\n---\ntext\n"},
		"removed line of dashes": {"-- x\ny\n", "@@ -1,2 +1,1 @@\n--- x\n y", "y\n"},
		"newline added":          {"a\nb", "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b", "a\nb\n"},
		"newline removed":        {"a\nb\n", "@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file", "a\nb"},
		"no newline kept":        {"a\nb", "@@ -1,2 +1,2 @@\n-a\n+x\n b", "x\nb"},
		"git header":             {file, "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -5 +5 @@\n-e\n+E", "a\nb\nc\nd\nE\n"},
		"end of a mail":          {file, "--- a/f\n+++ b/f\n@@ -5 +5 @@\n-e\n+E\n-- \n2.39.2\n\n", "a\nb\nc\nd\nE\n"},
		"CRLF":                   {"a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c", "a\r\nc\r\n"},
	} {
		result, _, err := Lines([]byte(row.file), row.patch)
		if err != nil || string(result.Content) != row.want {
			t.Errorf("%s: %q, %v; want %q", name, result.Content, err, row.want)
		}
	}
}

func TestLinesRefuses(t *testing.T) {
	const file = "a\nb\nc\n"
	for name, row := range map[string]struct {
		patch string
		err   error
		says  string
	}{
		"nothing":              {"", ErrFormat, "empty"},
		"no command":           {"please change it", ErrFormat, "not one of REPLACE"},
		"not a number":         {"REPLACE two\nx", ErrFormat, "not one of REPLACE"},
		"a huge number":        {"REPLACE 99999999999999999999\nx", ErrFormat, "too large"},
		"behind the end":       {"REPLACE 4\nx", ErrFormat, "lines 1 to 3"},
		"zero":                 {"REPLACE 0\nx", ErrFormat, "lines 1 to 3"},
		"count behind the end": {"DELETE 2 5", ErrFormat, "lines 1 to 3"},
		"backwards":            {"REPLACE 3-1\nx", ErrFormat, "lines 1 to 3"},
		"delete with text":     {"DELETE 1\nx", ErrFormat, "DELETE takes no text"},
		"no text":              {"REPLACE 1", ErrFormat, "not followed by"},
		"overlap":              {"REPLACE 1 2\nx\n---\nDELETE 2", ErrFormat, "same lines"},
		"front matter split":   {"REPLACE 1\n---\ntitle: x\n---", ErrFormat, "not followed by"},
		"context":              {"@@ -1,2 +1,2 @@\n a\n-x\n+y", ErrNoMatch, "nothing was changed"},
		"counts, cut off":      {"@@ -1,3 +1,3 @@\n a\n-b\n+B", ErrFormat, "declares 3 old and 3 new lines, but there are 2 and 2"},
		"counts, too many":     {"@@ -1,1 +1,1 @@\n-a\n+A\n-b", ErrFormat, "belongs to no hunk"},
		"several places":       {"@@ -9 +9 @@\n-a\n+b", ErrNoMatch, ""},
		"no mail":              {"@@ -1,1 +1,1 @@\n-a\n+A\n-- \n", ErrFormat, "belongs to no hunk"},
		"two files":            {"--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n--- c\n+++ c\n@@ -1 +1 @@\n-a\n+b", ErrFormat, "one file at a time"},
		"mails of two files":   {"--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.2\n\nFrom x\n--- c\n+++ c\n", ErrFormat, "one file at a time"},
		"overlapping hunks":    {"@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+c", ErrFormat, "same lines"},
	} {
		content := file
		if name == "several places" {
			content, row.err, row.says = "a\nb\na\n", ErrAmbiguous, "lines 1 and 3"
		}
		result, _, err := Lines([]byte(content), row.patch)
		if !errors.Is(err, row.err) || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %q, %v; want %v with %q", name, result.Content, err, row.err, row.says)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\n"), "@@ -1,2 +1,2 @@\n a\n-b\n+c")
	f.Add([]byte("a\r\nb"), "REPLACE 1\nx\n---\nDELETE 2")
	f.Add([]byte(""), "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file")
	f.Fuzz(func(t *testing.T, content []byte, body string) {
		result, edits, err := Lines(content, body)
		if err == nil && len(edits) == 0 {
			t.Fatalf("success without an edit: %q", result.Content)
		}
	})
}
