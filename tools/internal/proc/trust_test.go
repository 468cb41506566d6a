package proc

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/disktest"
)

// plant creates a program that leaves a mark.
func plant(t *testing.T, path, mark string) {
	t.Helper()
	script := "#!/bin/sh\ntouch " + mark + "\n"
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), disktest.WriteProgram(path, []byte(script), 0o755)); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, path string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(target, path)); err != nil {
		t.Fatal(err)
	}
	return path
}

// Each of two children of one environment has its own distrusted trees.
func TestDistrustIsPerChild(t *testing.T) {
	environ := append(make([]string, 0, 8), "PATH=/bin")
	one := Distrust(environ, "/one", "/one", "relative", "/")
	two := Distrust(environ, "/two")
	if !slices.Equal(one, []string{"PATH=/bin", distrustName + "=/one"}) || !slices.Equal(two, []string{"PATH=/bin", distrustName + "=/two"}) || len(environ) != 1 {
		t.Errorf("%q and %q", one, two)
	}
}

// A program of the project is not run outside the sandbox, in whatever way PATH leads to it. The
// user's own line and a jailed command still find it.
func TestNoProgramOfTheProjectIsRunUnheld(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts of a shell")
	}
	project, outside := t.TempDir(), t.TempDir()
	mark := filepath.Join(t.TempDir(), "ran")
	bin := filepath.Join(project, ".venv", "bin")
	plant(t, filepath.Join(bin, "git"), mark)
	plant(t, filepath.Join(outside, "tools", "git"), mark)
	interpreted := filepath.Join(outside, "interpreted")
	if err := errors.Join(os.Mkdir(interpreted, 0o755), disktest.WriteProgram(filepath.Join(interpreted, "git"), []byte("#!"+bin+"/git -x\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	linkedFile := filepath.Join(outside, "linked")
	link(t, filepath.Join(bin, "git"), filepath.Join(linkedFile, "git"))
	for way, path := range map[string]string{
		"directory":                        bin,
		"link to the directory":            link(t, bin, filepath.Join(outside, "bin")),
		"link in the project that leads":   link(t, filepath.Join(outside, "tools"), filepath.Join(project, "tools")),
		"link through the project":         link(t, filepath.Join(project, "tools"), filepath.Join(outside, "round")),
		"link to the program":              linkedFile,
		"interpreter of a script":          interpreted,
		"link in circles":                  link(t, filepath.Join(outside, "circle", "a"), filepath.Join(outside, "circle", "a")),
		"another spelling":                 project + "/x/.././/.venv/bin/",
		"the project itself, by its links": link(t, project, filepath.Join(outside, "project")) + "/.venv/bin",
	} {
		environ := []string{"PATH=" + path}
		if _, err := Find("git", environ); err != nil && way != "link in circles" && way != "another spelling" {
			t.Errorf("%s: nothing is there without distrust: %v", way, err)
		}
		_, err := Run(t.Context(), Command{Name: "git", Dir: project, Environ: Distrust(environ, project)})
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", way, err)
		}
		if ran(mark) {
			t.Errorf("%s: the project's program ran", way)
		}
	}
	absolute := Command{Name: filepath.Join(bin, "git"), Dir: project, Environ: Distrust([]string{"PATH=/usr/bin:/bin"}, project)}
	var untrusted *Untrusted
	if _, err := Run(t.Context(), absolute); !errors.As(err, &untrusted) || ran(mark) {
		t.Errorf("by its path: %v, ran %v", err, ran(mark))
	}
	if _, err := Find("git", Distrust([]string{"PATH=" + bin}, project)); err == nil || !strings.Contains(err.Error(), "git is found only in "+bin+", where this project can write; Marvin does not run programs from there. Install git") {
		t.Errorf("says %v", err)
	}
	if found, err := Find("true", Distrust([]string{"PATH=" + bin + ":/usr/bin:/bin"}, project)); err != nil || isWithin(found, project) {
		t.Errorf("found %q, %v", found, err)
	}
	absolute.WholePath = true
	if _, err := Run(t.Context(), absolute); err != nil || !ran(mark) {
		t.Errorf("what a person wants does not run: %v", err)
	}
}

func ran(mark string) bool {
	_, err := os.Stat(mark)
	return err == nil
}

func TestOwnProgramsIgnoreProjectSettings(t *testing.T) {
	project, outside := t.TempDir(), t.TempDir()
	environ := Distrust([]string{
		"PATH=/usr/bin:" + project + "/bin:/bin:relative::" + outside, "HOME=" + project, "LD_LIBRARY_PATH=" + outside + ":" + project + "/lib",
		"LD_PRELOAD=lib.so", "PYTHONPATH=", "PYTHONSTARTUP=start.py", "GIT_CONFIG_GLOBAL=" + project + "/.gitconfig", "GIT_SSH_COMMAND=ssh -F " + project + "/ssh",
		"GIT_SSH=./ssh", "NODE_OPTIONS=--require=" + project + "/x.js", "BASH_ENV=env.sh", "RIPGREP_CONFIG_PATH=" + outside + "/rc", "LANG=C",
	}, project)
	_, own := childEnviron(Command{Name: "git", Dir: project, Environ: environ})
	for _, kept := range []string{"PATH=/usr/bin:/bin:" + outside, "HOME=" + project, "PYTHONPATH=", "RIPGREP_CONFIG_PATH=" + outside + "/rc", "LANG=C"} {
		if !slices.Contains(own, kept) {
			t.Errorf("it lacks %s", kept)
		}
	}
	for _, name := range []string{"LD_LIBRARY_PATH", "LD_PRELOAD", "PYTHONSTARTUP", "GIT_CONFIG_GLOBAL", "GIT_SSH_COMMAND", "GIT_SSH", "NODE_OPTIONS", "BASH_ENV", distrustName} {
		if value := Lookup(own, name); value != "" {
			t.Errorf("it has %s=%s", name, value)
		}
	}
	_, line := childEnviron(Command{Shell: "true", Dir: project, Environ: environ})
	for _, kept := range []string{"PATH=/usr/bin:" + project + "/bin:/bin:relative::" + outside, "LD_LIBRARY_PATH=" + outside + ":" + project + "/lib"} {
		if !slices.Contains(line, kept) {
			t.Errorf("a line of a person's lacks %s", kept)
		}
	}
	_, marvin := childEnviron(Command{Name: "/x", Marvin: true, Dir: project, Environ: environ})
	for _, child := range [][]string{line, marvin, PlainEnviron(environ), Trusted(environ)} {
		if Lookup(child, distrustName) != "" {
			t.Error("it is reported what is not trusted")
		}
	}
}

// The shell itself is the user's, even if the line may use the project's programs.
func TestTheShellIsNotTheProjects(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts of a shell")
	}
	project := t.TempDir()
	mark := filepath.Join(t.TempDir(), "ran")
	for _, name := range []string{"bash", "sh"} {
		plant(t, filepath.Join(project, "bin", name), mark)
	}
	plant(t, filepath.Join(project, "bin", "own"), filepath.Join(project, "own-ran"))
	path := "PATH=" + project + "/bin:/usr/bin:/bin"
	command := Command{Shell: "own", Dir: project, Environ: Distrust([]string{path}, project)}
	if _, err := Run(t.Context(), command); err != nil || ran(mark) || !ran(filepath.Join(project, "own-ran")) {
		t.Errorf("%v; the project's shell ran: %v; its program: %v", err, ran(mark), ran(filepath.Join(project, "own-ran")))
	}
	command.Environ = []string{path}
	if _, err := Run(t.Context(), command); err != nil || !ran(mark) {
		t.Errorf("without distrust it does not run either: %v", err)
	}
}

func TestTheWholeSystemIsNoProject(t *testing.T) {
	if environ := Distrust([]string{"PATH=/usr/bin"}, "/", "relative"); len(environ) != 1 {
		t.Errorf("%q", environ)
	}
}
