package patch

import (
	"errors"
	"strings"
	"testing"
)

func TestReplaceMends(t *testing.T) {
	for name, row := range map[string]struct{ file, old, new, want, says string }{
		"blanks for tabs":      {"f {\n\tif x {\n\t\treturn\n\t}\n}\n", "    if x {\n        return\n    }", "    if y {\n        return\n        z()\n    }", "f {\n\tif y {\n\t\treturn\n\t\tz()\n\t}\n}\n", "indentation"},
		"two blanks for a tab": {"f {\n\tif x {\n\t\treturn\n\t}\n}\n", "  if x {\n    return\n  }", "  if y {\n    return\n  }", "f {\n\tif y {\n\t\treturn\n\t}\n}\n", "indentation"},
		"tabs for blanks":      {"if x:\n    y\n", "if x:\n\ty", "if x:\n\ty\n\tz", "if x:\n    y\n    z\n", "indentation"},
		"less indentation":     {"class A:\n    def f():\n        a\n", "def f():\n    a\n", "def f():\n    b\n\n    c\n", "class A:\n    def f():\n        b\n\n        c\n", "indentation"},
		"more indentation":     {"def f():\n    a\n", "    def f():\n        a\n", "    def f():\n        b\n", "def f():\n    b\n", "indentation"},
		"CRLF":                 {"a\r\n\tb\r\nc\r\n", "a\n  b", "a\n  d\n  e", "a\r\n\td\r\n\te\r\nc\r\n", "indentation"},
		"blanks at line ends":  {"a  \nb\nc\n", "a\nb", "a\nx", "a  \nx\nc\n", "blanks at line ends"},
		"no last newline":      {"a\nb", "b\n", "c\n", "a\nc", ""},
		"delete lines":         {"a\n\tb\nc\n", "  b\n", "", "a\nc\n", "indentation"},
		"curly quotes":         {"say “hi” to all\n", "say \"hi\" to all", "say \"hi\" to none", "say “hi” to none\n", "look alike"},
		"apostrophe":           {"it’s a\r\nb\r\n", "it's a\nb", "it's a\nc", "it’s a\r\nc\r\n", "look alike"},
		"no-break space":       {"10\u00a0km\n", "10 km", "10 m", "10\u00a0m\n", "look alike"},
		"dash":                 {"a – b\n", "a - b", "a - c", "a – c\n", "look alike"},
		"decomposed":           {"cafe\u0301 x\n", "caf\u00e9 x", "caf\u00e9 y", "cafe\u0301 y\n", "look alike"},
		"composed":             {"caf\u00e9\n", "cafe\u0301", "the\u0301", "th\u00e9\n", "look alike"},
		"halves of characters": {"“é”\n", "\"é\"", "\"è\"", "“è”\n", "look alike"},
		"last halves":          {"“\u00e9”\n", "\"\u00e9\"", "\"\u0129\"", "“\u0129”\n", "look alike"},
		"invisible":            {"a\u200bb c\n", "ab c", "ab d", "a\u200bb d\n", "look alike"},
		"byte order mark":      {"\xef\xbb\xbfsay “a”\n", "say \"a\"", "say \"b\"", "\xef\xbb\xbfsay “b”\n", "look alike"},
	} {
		result, err := Replace([]byte(row.file), row.old, row.new)
		if err != nil || string(result.Content) != row.want || !strings.Contains(strings.Join(result.Mended, ", "), row.says) {
			t.Errorf("%s: %q, %q, %v; want %q", name, result.Content, result.Mended, err, row.want)
		}
	}
}

func TestAmbiguousPatchIsNotMended(t *testing.T) {
	for name, row := range map[string]struct {
		file, old string
		err       error
		says      string
	}{
		"two places":       {"a:\n\tx = 1\nb:\n\t\tx = 1\n", "  x = 1\n", ErrAmbiguous, "lines 2 and 4"},
		"candidates":       {"a:\n\tx = 1\nb:\n\t\tx = 1\n", "  x = 1\n", ErrAmbiguous, "3. b:"},
		"two alike":        {"“x”\n„x”\n", "\"x\"", ErrAmbiguous, "lines 1 and 2"},
		"exact candidates": {"one\nx\ntwo\nx\n", "x\n", ErrAmbiguous, "3. two\n4. x"},
		"uneven":           {"if a:\n    b\n  c\n", "if a:\n  b\n      c\n", ErrNoMatch, "white space"},
		"another number":   {"x²\n", "x2", ErrNoMatch, "look alike"},
	} {
		if result, err := Replace([]byte(row.file), row.old, "q\n"); !errors.Is(err, row.err) || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %q, %v", name, result.Content, err)
		}
	}
}

func TestHunksMend(t *testing.T) {
	for name, row := range map[string]struct{ file, hunks, want string }{
		"tabs":              {"f {\n\ta()\n\tb()\n}\n", "@@\n     a()\n-    b()\n+    c()\n+    if d {\n+        e()\n+    }", "f {\n\ta()\n\tc()\n\tif d {\n\t\te()\n\t}\n}\n"},
		"no indentation":    {"class A:\n    x = 1\n    y = 2\n", "@@\n x = 1\n-y = 2\n+y = 3", "class A:\n    x = 1\n    y = 3\n"},
		"quotes in context": {"print(“a”)\nb\n", "@@\n print(\"a\")\n-b\n+c", "print(“a”)\nc\n"},
		"end of file":       {"x\n\tb\n", "@@\n-    b\n+    c\n*** End of File", "x\n\tc\n"},
		"anchor":            {"A\n\tx\nB\n\tx\n", "@@ B\n-    x\n+    y", "A\n\tx\nB\n\ty\n"},
	} {
		if got, err := update(t, row.file, row.hunks); err != nil || got != row.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, row.want)
		}
	}
}

// Lookalike characters are folded only in valid non-ASCII text.
func TestLinesThatLookAlike(t *testing.T) {
	for line, want := range map[string]string{"plain 'x'": "plain 'x'", "caf\xe9 ’": "caf\xe9 ’", "‘x’": fold("‘x’").text, "a\u00a0b": fold("a\u00a0b").text} {
		if got := normalized(line); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
	if normalized("‘x’") == "‘x’" {
		t.Error("quotes of printers are left")
	}
}
