package downloads

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence/disktest"
	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listing returns the names and contents of the files in Downloads.
func listing(t *testing.T, home string) string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			content = []byte("(unreadable)")
		}
		relative, err := filepath.Rel(home, path)
		found = append(found, relative+"="+string(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(found, " ")
}

func TestFilesAreNamedAsAskedAsTheServerSaysOrAsTheirAddress(t *testing.T) {
	for name, test := range map[string]struct{ url, filename, disposition, want string }{
		"address":            {"/a/b%20c.txt?x=y/z", "", "", "b c.txt"},
		"redirect":           {"/old", "", "", "new.txt"},
		"server":             {"/x", "", `attachment; filename="r.pdf"`, "r.pdf"},
		"server in UTF-8":    {"/x", "", `attachment; filename*=UTF-8''%C3%A9.pdf`, "é.pdf"},
		"hostile server":     {"/x", "", `attachment; filename="../../.ssh/authorized_keys"`, "authorized_keys"},
		"hidden":             {"/x", "", `attachment; filename=".bashrc"`, "bashrc"},
		"none":               {"/", "", "", "index.html"},
		"asked":              {"/x", "mine.txt", `attachment; filename="r.pdf"`, "mine.txt"},
		"asked with a path":  {"/x", "../../etc/passwd", "", "passwd"},
		"asked with another": {"/x", `..\..\evil.exe`, "", "evil.exe"},
		"asked, unprintable": {"/x", "a\x1b[2J\u202etxt.exe\n", "", "a_[2J_txt.exe_"},
		"long":               {"/x", strings.Repeat("é", 300) + ".tar", "", strings.Repeat("é", 98) + ".tar"},
	} {
		t.Run(name, func(t *testing.T) {
			client := toolstest.Client(t, map[string]http.HandlerFunc{"site.example": func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/old" {
					http.Redirect(w, r, "/new.txt", http.StatusFound)
					return
				}
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				if test.disposition != "" {
					w.Header().Set("Content-Disposition", test.disposition)
				}
				_, _ = io.WriteString(w, "content")
			}})
			args, err := json.Marshal(map[string]string{"url": "https://site.example" + test.url, "filename": test.filename})
			if err != nil {
				t.Fatal(err)
			}
			env := toolstest.Env(t)
			got, err := toolstest.Call(t, New(client).Tools(), env, "download_file", string(args))
			if err != nil {
				t.Fatal(err)
			}
			if want := "Saved " + filepath.Join(env.Home, "Downloads", test.want) + " (7 bytes, text/html)."; got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if got := listing(t, env.Home); got != "Downloads/"+test.want+"=content" {
				t.Errorf("on disk: %s", got)
			}
		})
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	asked := 0
	var home string
	client := toolstest.Client(t, map[string]http.HandlerFunc{"site.example": func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.URL.Path == "/race.txt" { // another process takes the name during the download
			_ = os.WriteFile(filepath.Join(home, "Downloads", "race.txt"), []byte("theirs"), 0o600)
		}
		_, _ = io.WriteString(w, "new")
	}})
	env := toolstest.Env(t)
	home = env.Home
	downloads := filepath.Join(home, "Downloads")
	if err := errors.Join(os.Mkdir(downloads, 0o755), os.WriteFile(filepath.Join(downloads, "a.txt"), []byte("old"), 0o600),
		os.Symlink("/nowhere", filepath.Join(downloads, "link.txt"))); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{`{"url":"https://site.example/x","filename":"a.txt"}`, `{"url":"https://site.example/x","filename":"link.txt"}`} {
		_, err := toolstest.Call(t, New(client).Tools(), env, "download_file", args)
		toolstest.CheckError(t, err, "exists already", "Give another filename")
	}
	if asked != 0 {
		t.Errorf("asked %d times although the name was taken", asked)
	}
	for _, path := range []string{"a.txt", "race.txt"} {
		_, err := toolstest.Call(t, New(client).Tools(), env, "download_file", `{"url":"https://site.example/`+path+`"}`)
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := listing(t, home); got != "Downloads/a.txt=old Downloads/link.txt=(unreadable) Downloads/race.txt=theirs" {
		t.Errorf("on disk: %s", got)
	}
}

// Downloads may be a link to another disk, but not to a directory in which programs look for their
// configuration.
func TestDownloadsAreNoLinkToWhatProgramsObey(t *testing.T) {
	for target, refused := range map[string]bool{".config/autostart": true, ".local/share/applications": true, "disk/downloads": false} {
		t.Run(target, func(t *testing.T) {
			home := t.TempDir()
			if err := os.MkdirAll(filepath.Join(home, target), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, filepath.Join(home, "Downloads")); err != nil {
				t.Fatal(err)
			}
			root, err := openDownloads(tools.Env{Home: home})
			if err == nil {
				root.Close()
			}
			if refused != (err != nil) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestDownloadsThatBreakOffLeaveNothing(t *testing.T) {
	stopped := errors.New("the user said stop")
	for name, test := range map[string]struct {
		handler func(cancel func()) http.HandlerFunc
		want    []string
	}{
		"not found": {func(func()) http.HandlerFunc { return toolstest.Status(404, "") }, []string{"404 Not Found"}},
		"cut": {func(func()) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "100")
				_, _ = io.WriteString(w, "half")
			}
		}, []string{"stopped after 4 bytes: unexpected EOF", "Nothing was kept"}},
		"silence": {func(func()) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, "half")
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			}
		}, []string{"nothing arrived for 200ms"}},
		"stop": {func(cancel func()) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, "half")
				_ = http.NewResponseController(w).Flush()
				cancel()
				<-r.Context().Done()
			}
		}, []string{"the user said stop"}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			service := New(toolstest.Client(t, map[string]http.HandlerFunc{"site.example": test.handler(func() { cancel(stopped) })}))
			service.idle = 200 * time.Millisecond
			env := toolstest.Env(t)
			call, err := service.Tools()[0].Decode([]byte(`{"url":"https://site.example/f"}`))
			if err != nil {
				t.Fatal(err)
			}
			_, err = call.Run(ctx, env)
			toolstest.CheckError(t, err, test.want...)
			if got := listing(t, env.Home); got != "" {
				t.Errorf("on disk: %s", got)
			}
		})
	}
}

func TestProgressIsReported(t *testing.T) {
	client := toolstest.Client(t, map[string]http.HandlerFunc{"site.example": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "3000000")
		_, _ = w.Write(make([]byte, 3_000_000))
	}})
	var told []string
	env := toolstest.Env(t)
	start := env.Now()
	env.Now = func() time.Time { start = start.Add(time.Second); return start } // a slow network
	env.Progress = func(line string) { told = append(told, line) }
	if _, err := toolstest.Call(t, New(client).Tools(), env, "download_file", `{"url":"https://site.example/f"}`); err != nil {
		t.Fatal(err)
	}
	if len(told) == 0 || told[len(told)-1] != "3.0 MB of 3.0 MB, 100%" {
		t.Errorf("told %q", told)
	}
}

func TestAddressesThatAreNotPublicAreRefused(t *testing.T) {
	for args, want := range map[string]string{
		`{"url":"http://127.0.0.1:1/x"}`: "not a public address", `{"url":"file:///etc/passwd"}`: "not a web address", `{"url":"-o/etc/x"}`: "not a web address",
		`{"url":"https://site.example/","filename":".."}`: "filename is empty",
	} {
		env := toolstest.Env(t)
		_, err := toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), env, "download_file", args)
		toolstest.CheckError(t, err, want)
	}
	env := toolstest.Env(t)
	env.Home = ""
	_, err := toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), env, "download_file", `{"url":"https://site.example/"}`)
	toolstest.CheckError(t, err, "set HOME")
}

// ytDLP puts a program named yt-dlp on a PATH of its own. The program records its arguments and
// executes the lines. Its last argument but one is --.
func ytDLP(t *testing.T, lines string) tools.Env {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + dir + "/argv'\n" + lines + "\n"
	if err := disktest.WriteProgram(filepath.Join(dir, "yt-dlp"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return toolstest.Env(t, "PATH="+dir+":"+os.Getenv("PATH"), "ARGV="+dir+"/argv")
}

func argv(t *testing.T, env tools.Env) []string {
	t.Helper()
	content, err := os.ReadFile(proc.Lookup(env.Environ, "ARGV"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
}

func TestVideosAreSavedBelowDownloads(t *testing.T) {
	for name, test := range map[string]struct {
		args, dir string
		kind      string
		also      []string
	}{
		"video":            {`{"url":"https://v.example/watch?v=1&list=2"}`, "", "video", nil},
		"audio":            {`{"url":"https://v.example/watch?v=1&list=2","audio_only":"true","output_dir":"100% music/new"}`, "100% music/new", "audio", []string{"-x", "--audio-format", "mp3"}},
		"format":           {`{"url":"https://v.example/watch?v=1&list=2","format":"--exec rm","output_dir":"~/Downloads/films"}`, "films", "video", []string{"--format=--exec rm"}},
		"printed nonsense": {`{"url":"https://v.example/watch?v=1&list=2","output_dir":"x"}`, "x", "video", nil},
	} {
		t.Run(name, func(t *testing.T) {
			env := ytDLP(t, `echo "some warning"; pwd | sed 's,$,/A_title.webm,'; echo /etc/passwd`)
			got, err := toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), env, "yt_dlp_download", test.args)
			dir := filepath.Join(env.Home, "Downloads", test.dir)
			if want := "Saved " + test.kind + ": " + dir + "/A_title.webm"; err != nil || got != want {
				t.Errorf("%q, %v, want %q", got, err, want)
			}
			args := argv(t, env)
			proxy := args[6]
			want := append([]string{
				"--no-playlist", "--restrict-filenames", "--trim-filenames", "150", "--no-cache-dir", "--proxy", proxy, "--no-check-certificates",
				"-o", strings.ReplaceAll(dir, "%", "%%") + "/%(title)s.%(ext)s", "--print", "after_move:filepath", "--progress", "--newline",
			}, append(test.also, "--", "https://v.example/watch?v=1&list=2")...)
			if strings.Join(args, "\n") != strings.Join(want, "\n") || !strings.HasPrefix(proxy, "http://127.0.0.1:") {
				t.Errorf("argv %q\nwant %q", args, want)
			}
		})
	}
}

// yt-dlp connects through the relay, which checks every address, also after redirects.
func TestYtDLPReachesPublicAddressesOnly(t *testing.T) {
	if _, err := proc.Find("curl", os.Environ()); err != nil {
		t.Skip("curl is not installed here, which plays the program's requests")
	}
	env := ytDLP(t, `while [ "$1" != --proxy ]; do shift; done
		curl -sk --proxy "$2" https://v.example/film > "$PWD/film"; curl -sk --proxy "$2" http://169.254.169.254/ > /dev/null; echo "$PWD/film"; echo ERROR: refused >&2; exit 1`)
	client := toolstest.Client(t, map[string]http.HandlerFunc{"v.example": toolstest.Status(200, "frames")})
	_, err := toolstest.Call(t, New(client).Tools(), env, "yt_dlp_download", `{"url":"https://v.example/"}`)
	toolstest.CheckError(t, err, "ERROR: refused", "169.254.169.254: not allowed")
	if got := listing(t, env.Home); got != "Downloads/film=frames" {
		t.Errorf("on disk: %s", got)
	}
}

func TestVideosThatFail(t *testing.T) {
	env := ytDLP(t, `yes "a long complaint" | head -c 5000 >&2; echo "ERROR: Unsupported URL" >&2; exit 1`)
	_, err := toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), env, "yt_dlp_download", `{"url":"https://v.example/"}`)
	toolstest.CheckError(t, err, "exit code 1", "ERROR: Unsupported URL", "yt-dlp -U")
	if len(err.Error()) > 800 {
		t.Errorf("%d bytes: %v", len(err.Error()), err)
	}
	env = ytDLP(t, "")
	got, err := toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), env, "yt_dlp_download", `{"url":"https://v.example/"}`)
	if err != nil || !strings.Contains(got, "without naming a file") {
		t.Errorf("%q, %v", got, err)
	}
	env = toolstest.Env(t, "PATH="+t.TempDir())
	_, err = toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), env, "yt_dlp_download", `{"url":"https://v.example/"}`)
	toolstest.CheckError(t, err, "yt-dlp is not installed", "pipx install yt-dlp")
}

func TestYtDLPIsFoundInLocalBin(t *testing.T) {
	env := ytDLP(t, `echo "$PWD/x.mp4"`)
	program, err := proc.Find("yt-dlp", env.Environ)
	if err != nil {
		t.Fatal(err)
	}
	local := filepath.Join(env.Home, ".local", "bin")
	if err := errors.Join(os.MkdirAll(local, 0o755), os.Rename(program, filepath.Join(local, "yt-dlp"))); err != nil {
		t.Fatal(err)
	}
	if got, err := toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), env, "yt_dlp_download", `{"url":"https://v.example/"}`); err != nil || !strings.HasSuffix(got, "x.mp4") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestFoldersOutsideDownloadsAreRefused(t *testing.T) {
	env := ytDLP(t, "")
	downloads := filepath.Join(env.Home, "Downloads")
	if err := errors.Join(os.Mkdir(downloads, 0o755), os.Symlink(env.Home, filepath.Join(downloads, "out"))); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"..", "../x", "/tmp/x", "out/x", "a/../../b", "-x", "~/x", "~"} {
		_, err := toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), env, "yt_dlp_download", fmt.Sprintf(`{"url":"https://v.example/","output_dir":%q}`, dir))
		toolstest.CheckError(t, err, "is not a directory below", "plain name")
	}
	_, err := toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), env, "yt_dlp_download", `{"url":"https://u:SECRET@v.example/"}`)
	toolstest.CheckError(t, err, "holds a user name or password")
	for _, address := range []string{"--exec=rm", "ftp://v.example/", "file:///etc/passwd"} {
		_, err := toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), env, "yt_dlp_download", fmt.Sprintf(`{"url":%q}`, address))
		toolstest.CheckError(t, err, "not a web address")
	}
}

func TestStoppingEndsYtDLP(t *testing.T) {
	stopped := errors.New("the user said stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	env := ytDLP(t, `echo "[download]   3% of 10MiB" >&2; sleep 60`)
	var told string
	env.Progress = func(line string) { told = line; cancel(stopped) }
	call, err := New(toolstest.Client(t, nil)).Tools()[1].Decode([]byte(`{"url":"https://v.example/"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = call.Run(ctx, env); !errors.Is(err, stopped) || !strings.Contains(told, "3% of 10MiB") {
		t.Errorf("told %q, ended with %v", told, err)
	}
}
