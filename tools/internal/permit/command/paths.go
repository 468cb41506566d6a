package command

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools/internal/protected"
)

// A where classifies the location of a path. Symbolic links are not followed, because the jail
// handles them.
type where uint8

const (
	inside  where = iota // below the working directory, or in a private /tmp
	whole                // the working directory itself, or the repository in it
	nowhere              // at a location that is known only at run time
	outside
)

func (w where) String() string {
	return [...]string{"in the working directory", "of the whole working directory", "of something that is known only at run time", "outside the working directory"}[w]
}

// fresh is the path used for every directory that mktemp creates.
const fresh = "/tmp/tmp.XXXXXXXXXX"

// whereabouts tracks the possible working directories while a line is inspected. It also locates
// paths relative to these directories.
type whereabouts struct {
	place Place
	dirs  []string // possible directories after cd
	lost  bool     // dirs might be incomplete
	last  string   // the target of the last cd, or "" if there was none or it is unknown
}

// locate returns the worst location of a path over all possible working directories.
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
		// The path is known only up to the last slash before $x. If $x is empty at run time,
		// build/$x means build/, and $x/ means /.
		slash := strings.LastIndexByte(known, '/')
		if slash <= 0 || strings.Contains(text, "..") {
			return nowhere
		}
		at := w.locateFrom(Word{Text: known[:slash], tilde: word.tilde}, dir)
		if at == whole && slash < len(known)-1 {
			return inside // the entry's name begins with known text
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
	if below(path, fresh) && !word.Glob { // if mktemp fails, $x is empty and "$x/*" means "/*"
		return inside
	}
	base := filepath.Base(path)
	if word.Glob && strings.Trim(base, "*?.[]") == "" { // all entries of a directory
		path = filepath.Dir(path)
	} else if meant, _ := filepath.Match(base, ".git"); word.Glob && meant {
		path = filepath.Join(filepath.Dir(path), ".git")
	}
	switch {
	case path == "":
		return outside
	case w.place.Dir != "" && (path == w.place.Dir || path == filepath.Join(w.place.Dir, ".git")):
		return whole
	case w.inProject(path):
		return inside
	}
	return outside
}

// inProject reports whether an absolute path is in the project or in a private /tmp.
func (w *whereabouts) inProject(path string) bool {
	switch {
	case below(path, w.place.Dir):
		return true
	case below(path, w.place.Home) || below(w.place.Home, path):
		return false
	}
	return w.place.Temp && strings.HasPrefix(path, "/tmp/")
}

// leavesForTemp reports whether a move from source to target moves files from the project to a
// private /tmp.
func (w *whereabouts) leavesForTemp(source, target Word) bool {
	if w.inTemp(target) {
		return !w.certainlyInTemp(source)
	}
	return w.last != "" && w.inTempFrom(target, w.last) && below(w.absolute(source, w.last), w.place.Dir)
}

// inTemp reports whether a path is in a private /tmp and not in the project.
func (w *whereabouts) inTemp(word Word) bool {
	return len(w.dirs) > 0 && !slices.ContainsFunc(w.dirs, func(dir string) bool { return !w.inTempFrom(word, dir) })
}

func (w *whereabouts) inTempFrom(word Word, dir string) bool {
	path := w.absolute(word, dir)
	return w.place.Temp && below(path, "/tmp") && !below(path, w.place.Dir)
}

// certainlyInTemp is like inTemp, but returns false in case of doubt: for text that is not known, and
// if a pattern such as /tmp/*/x could match files of the project or the home directory.
func (w *whereabouts) certainlyInTemp(word Word) bool {
	return w.inTemp(word) && !strings.Contains(word.Text, Hole) && !below(w.place.Dir, "/tmp") && !below(w.place.Home, "/tmp")
}

// below returns true if path is equal to dir or inside dir. Both paths must be clean.
func below(path, dir string) bool {
	return dir != "" && (path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/"))
}

// absolute returns the clean absolute path of a word. It returns "" if the path depends on an
// unknown home directory.
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

// device returns true for the paths of disks, memory devices and kernel settings.
func device(path string) bool {
	for _, prefix := range []string{"/dev/sd", "/dev/hd", "/dev/vd", "/dev/xvd", "/dev/nvme", "/dev/mmcblk", "/dev/disk", "/dev/mapper", "/dev/dm-", "/dev/md", "/dev/loop", "/dev/mem", "/dev/kmem", "/dev/port", "/proc/sys", "/proc/sysrq", "/sys/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// startsPrograms reports whether a file can determine which programs run or who can log in.
// Examples are system files, and files of a shell, cron, ssh or git.
func (w *whereabouts) startsPrograms(path string) bool {
	place, protects := w.protects(path)
	return protects && !place.Anywhere || w.ofSystem(path)
}

// protects returns the protected place that contains a path.
func (w *whereabouts) protects(path string) (protected.Place, bool) {
	where := protected.Locations{Home: w.place.Home, Environ: w.place.Environ, Marvin: w.place.Marvin}
	return where.Names().PlaceOf(path)
}

func (w *whereabouts) ofSystem(path string) bool {
	for _, prefix := range []string{"/etc/", "/boot/", "/usr/", "/bin/", "/sbin/", "/lib", "/var/spool/cron"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return strings.HasSuffix(path, "/.git/config") || strings.Contains(path, "/.git/hooks/")
}

// goTo adds the target of a cd command to the possible directories. The previous directories
// remain, because the cd might run in a subshell.
func (w *whereabouts) goTo(args []Word) {
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") && args[0].Text != "-" {
		args = args[1:]
	}
	from := cmp.Or(w.last, w.place.Dir)
	w.last = ""
	if len(args) == 0 || args[0].unknown() || args[0].Glob || args[0].Text == "-" || w.place.Dir == "" {
		w.lost = true
		return
	}
	w.last = w.absolute(args[0], from)
	for _, dir := range w.dirs {
		to := w.absolute(args[0], dir)
		if !w.inProject(to) {
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

// setRemote records that the line runs on another machine, where no path belongs to the project.
func (w *whereabouts) setRemote() { w.place.Dir, w.place.Temp = "", false }

// Place describes the environment in which a command would run.
type Place struct {
	Dir  string // the working directory
	Home string
	Temp bool // /tmp is private to the command
	// Environ and Marvin have the same meaning as in [protected.Locations].
	Environ, Marvin []string
}
