package downloads

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// TestEdgesOfDownloads records results for extreme names, sizes and addresses, and for home
// directories that cannot store a download.
func TestEdgesOfDownloads(t *testing.T) {
	var out strings.Builder
	base, part := t.TempDir(), regexp.MustCompile(`\.[A-Z2-7]{26}\.part`)
	tell := func(format string, args ...any) {
		text := strings.ReplaceAll(fmt.Sprintf(format, args...), base, "BASE")
		out.WriteString(part.ReplaceAllString(text, ".PART") + "\n")
	}
	for _, bytes := range []int64{0, 999, 1000, 999_999, 1_000_000, 999_999_999, 1_000_000_000} {
		tell("size %d: %s", bytes, size(bytes))
	}
	for _, total := range []int64{-1, 0, 1, 3000} {
		tell("line of %d: %s", total, (&watched{done: 1500, total: total}).line())
	}
	for _, name := range []string{"", ".", " . ", "a", "a/", `a\b`, "..a..", "<>:\"|?*x", "\xff", "a\u200bb\x07", strings.Repeat("a", maxName), strings.Repeat("a", maxName+1), strings.Repeat("a", maxName) + "." + strings.Repeat("e", 19), strings.Repeat("a", maxName) + "." + strings.Repeat("e", 20)} {
		cleaned, err := cleanName(name)
		tell("name %q: %d %q %v", name, len(cleaned), cleaned, err)
	}
	for _, one := range [][3]string{{"/", "", ""}, {"/", "", "text/html; charset=x"}, {"/", "", "text/plain"}, {"/a.txt", "", ""}, {"/a.txt", `attachment; filename="b.txt"`, ""}, {"/a.txt", `attachment; filename=".."`, ""}, {"/a.txt", "attachment; filename", "x"}, {"/..", "inline", ""}} {
		response := &http.Response{Header: http.Header{"Content-Disposition": {one[1]}, "Content-Type": {one[2]}}, Request: &http.Request{URL: &url.URL{Path: one[0]}}}
		tell("named %q: %s of %s", one, nameOf(response), kindOf(response))
	}
	for _, text := range []string{"", " https://a.example/x ", "http://a.example", "HTTPS://a.example", "ftp://a.example", "https:///x", "a.example", "https://a.example/%zz", "https://u@a.example", "https://:p@a.example"} {
		address, err := webAddress(text)
		tell("address %q: %q %v", text, address, err)
		for _, tool := range (Service{}).Tools() {
			call, err := tool.Decode(fmt.Appendf(nil, `{"url":%q}`, text))
			if err != nil {
				t.Fatal(err)
			}
			tell("  %s sends to %v", tool.Name, call.Destinations(tools.Env{}))
		}
	}
	homes(t, base, tell)
	goldentest.Assert(t, "edges.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// homes records the results of downloads of a file and of a video in home directories that cannot
// store them, and of a canceled download.
func homes(t *testing.T, base string, tell func(string, ...any)) {
	client := toolstest.Client(t, map[string]http.HandlerFunc{"site.example": toolstest.Status(http.StatusOK, "content")})
	in := func(names ...string) string { return filepath.Join(append([]string{base}, names...)...) }
	made := errors.Join(os.MkdirAll(in("taken"), 0o700), os.MkdirAll(in("hidden", ".config"), 0o700), os.Mkdir(in("gone"), 0o700),
		os.MkdirAll(in("there", "Downloads"), 0o700), os.MkdirAll(in("beside", ".x"), 0o700), os.Mkdir(in("out"), 0o700))
	written := errors.Join(os.WriteFile(in("file"), nil, 0o600), os.WriteFile(in("taken", "Downloads"), nil, 0o600))
	linked := errors.Join(os.Symlink(".config", in("hidden", "Downloads")), os.Symlink("nothing", in("gone", "Downloads")), os.Symlink("../beside/.x", in("out", "Downloads")))
	if failed := errors.Join(made, written, linked); failed != nil {
		t.Fatal(failed)
	}
	for _, home := range []string{"", "file", "taken", "hidden", "gone", "out", "there"} {
		env := ytDLP(t, "exit 3")
		if env.Home = ""; home != "" {
			env.Home = filepath.Join(base, home)
		}
		for _, tool := range New(client).Tools() {
			text, err := toolstest.Call(t, New(client).Tools(), env, tool.Name, `{"url":"https://site.example/f"}`)
			tell("in %q %s: %q %v", home, tool.Name, text, err)
		}
	}
	there := filepath.Join(base, "there", "Downloads")
	root, err := os.OpenRoot(there)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range [][2]string{{there, base}, {filepath.Join(base, "none"), base}, {base, base}, {there, filepath.Join(base, "none")}, {there, there}} {
		tell("visible %q: %v", one, visible(root, one[0], one[1]))
	}
	for _, name := range []string{"f", "g", "d/e"} {
		written, err := save(root, name, strings.NewReader("abc"))
		tell("save %s: %d %v; free: %v", name, written, err, checkFree(root, name))
	}
	came, err := save(root, "h", io.MultiReader(strings.NewReader("ab"), broken{}))
	tell("save what breaks: %d %v; free: %v", came, err, checkFree(root, "h"))
	if err := root.Close(); err != nil {
		t.Fatal(err)
	}
	came, err = save(root, "i", strings.NewReader("abc"))
	tell("closed: %d %v; free: %v; visible: %v", came, err, checkFree(root, "i"), visible(root, there, base))
	tell("left: %s", listing(t, there))
}

// broken is a response body that ends with an error.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("the cable was cut") }
