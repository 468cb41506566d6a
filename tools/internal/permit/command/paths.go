package command

import (
	"path/filepath"
	"strings"

	"marvin/tools/internal/protected"
)

// where is how far from the project a path is, as far as its text says. Symbolic links
// are not followed: that is the jail's business.
type where uint8

const (
	inside  where = iota // below the working directory, or in a private /tmp
	whole                // the working directory itself, or the repository in it
	nowhere              // only known when it runs
	outside
)

func (w where) String() string {
	return [...]string{"in the working directory", "of the whole working directory", "of something that is known only at run time", "outside the working directory"}[w]
}

// fresh stands for a directory that mktemp makes.
const fresh = "/tmp/tmp.XXXXXXXXXX"

// whereabouts is where a line may be, and what lies where as seen from there.
type whereabouts struct {
	place Place
	dirs  []string // where the line may be, by its cd
	lost  bool     // it may be elsewhere, too
}

// locate is the worst of where a word may point.
func (w *whereabouts) locate(word Word) where {
	worst := inside
	for _, dir := range w.dirs {
		worst = max(worst, w.locateFrom(word, dir))
	}
	if w.lost && !filepath.IsAbs(word.Text) && !word.tilde {
		worst = max(worst, nowhere)
	}
	return worst
}

func (w *whereabouts) locateFrom(word Word, dir string) where {
	text := word.Text
	known, _, unknown := strings.Cut(text, Hole)
	if unknown {
		// The path is known up to its last slash; the rest may be empty: build/$x is then build/,
		// and $x/ is /.
		slash := strings.LastIndexByte(known, '/')
		if slash <= 0 || strings.Contains(text, "..") {
			return nowhere
		}
		at := w.locateFrom(Word{Text: known[:slash], tilde: word.tilde}, dir)
		if at == whole && slash < len(known)-1 {
			return inside // something in it, with a beginning
		}
		if at == whole && strings.TrimPrefix(known, "./") != "" {
			return nowhere
		}
		return at
	}
	if dir == "" && !filepath.IsAbs(text) && !word.tilde {
		return outside
	}
	path := w.absolute(word, dir)
	if below(path, fresh) && !word.Glob { // should mktemp fail, $x is nothing and $x/* everything
		return inside
	}
	base := filepath.Base(path)
	if word.Glob && strings.Trim(base, "*?.[]") == "" { // everything in a directory
		path = filepath.Dir(path)
	} else if meant, _ := filepath.Match(base, ".git"); word.Glob && meant {
		path = filepath.Join(filepath.Dir(path), ".git")
	}
	switch {
	case path == "":
		return outside
	case w.place.Dir != "" && (path == w.place.Dir || path == filepath.Join(w.place.Dir, ".git")):
		return whole
	case w.inside(path):
		return inside
	}
	return outside
}

// inside says whether an absolute path is in the project or in a private /tmp.
func (w *whereabouts) inside(path string) bool {
	switch {
	case below(path, w.place.Dir):
		return true
	case below(path, w.place.Home) || below(w.place.Home, path):
		return false
	}
	return w.place.Temp && strings.HasPrefix(path, "/tmp/")
}

// below says whether a path is a directory or in it. Both are clean.
func below(path, dir string) bool {
	return dir != "" && (path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/"))
}

// absolute is a word as a clean path; "" if it is a home directory.
func (w *whereabouts) absolute(word Word, dir string) string {
	text := word.Text
	if word.tilde {
		rest := strings.TrimPrefix(text, "~")
		if rest != "" && rest[0] != '/' || w.place.Home == "" {
			return ""
		}
		text = w.place.Home + rest
	}
	if !filepath.IsAbs(text) {
		text = filepath.Join(dir, text)
	}
	return filepath.Clean(text)
}

// device says whether a path is a disk, or the memory.
func device(path string) bool {
	for _, prefix := range []string{"/dev/sd", "/dev/hd", "/dev/vd", "/dev/xvd", "/dev/nvme", "/dev/mmcblk", "/dev/disk", "/dev/mapper", "/dev/dm-", "/dev/md", "/dev/loop", "/dev/mem", "/dev/kmem", "/dev/port", "/proc/sys", "/proc/sysrq", "/sys/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// startsPrograms says whether a file is read by shells, logins, cron, ssh, git or other
// programs as something to run or to log in with.
func (w *whereabouts) startsPrograms(path string) bool {
	place, protects := w.protects(path)
	return protects && !place.Anywhere || w.ofSystem(path)
}

// protects is the place of the table that a path belongs to.
func (w *whereabouts) protects(path string) (protected.Place, bool) {
	where := protected.Where{Home: w.place.Home, Environ: w.place.Environ, Marvin: w.place.Marvin}
	return where.Names().Of(path)
}

func (w *whereabouts) ofSystem(path string) bool {
	for _, prefix := range []string{"/etc/", "/boot/", "/usr/", "/bin/", "/sbin/", "/lib", "/var/spool/cron"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return strings.HasSuffix(path, "/.git/config") || strings.Contains(path, "/.git/hooks/")
}

// goTo follows a cd. Every place where the line has been counts, as subshells come back.
func (w *whereabouts) goTo(args []Word) {
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") && args[0].Text != "-" {
		args = args[1:]
	}
	if len(args) == 0 || args[0].unknown() || args[0].Glob || args[0].Text == "-" || w.place.Dir == "" {
		w.lost = true
		return
	}
	for _, dir := range w.dirs {
		to := w.absolute(args[0], dir)
		if !w.inside(to) {
			w.lost = true
			return
		}
		w.dirs = append(w.dirs, to)
		if len(w.dirs) > 64 {
			w.lost = true
			return
		}
	}
}

// elsewhere says that the line is on another machine, where no path is inside.
func (w *whereabouts) elsewhere() { w.place.Dir, w.place.Temp = "", false }

// Place is where a command would run.
type Place struct {
	Dir  string // the working directory
	Home string
	Temp bool // /tmp is the command's own
	// Environ and Marvin say where protected places are: see [protected.Where].
	Environ, Marvin []string
}
