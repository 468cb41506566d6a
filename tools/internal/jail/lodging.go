package jail

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"marvin/tools/internal/jail/internal/disk"
)

// Lodging is a private /tmp and a private home directory for a program that is not a command.
// Commands do not see these directories, and the program does not see the commands' /tmp.
type Lodging struct {
	temp string
	home string // below temp
}

const lodgingHome = "home"

// Lodging creates a home directory for a program. The caller calls [Lodging.Close] when the program
// has ended.
func (k *Keeper) Lodging() (*Lodging, error) {
	in := ""
	if k.Mode() != Off && available() == nil {
		k.mu.Lock()
		err := k.makeTemp()
		if err == nil {
			in = k.temp.whole
		}
		k.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
	temp, err := os.MkdirTemp(in, "marvin-lodging-")
	if err != nil {
		return nil, fmt.Errorf("make a home directory for the program: %w", err)
	}
	made := &Lodging{temp: temp, home: filepath.Join(temp, lodgingHome)}
	if err := os.Mkdir(made.home, 0o700); err != nil {
		return nil, errors.Join(err, made.Close())
	}
	return made, nil
}

// Home returns the path of the home directory as seen from outside the jail.
func (l *Lodging) Home() string { return l.home }

// Close removes the lodging's files.
func (l *Lodging) Close() error { return os.RemoveAll(l.temp) }

// Lodged returns a copy of the jail with the given lodging. If readOnly is true, programs in the
// copy can write only to the lodging.
func (j *Jail) Lodged(in *Lodging, readOnly bool) *Jail {
	lodged := *j
	p := &lodged.plan
	shared := p.Temp
	p.Temp, lodged.lodged, lodged.absent = in.temp, true, slices.Clone(j.absent)
	if readOnly {
		p.Write = nil
	} else {
		p.Write = slices.DeleteFunc(slices.Clone(p.Write), func(path string) bool { return path == shared })
	}
	if disk.Contains("/tmp", p.Root) {
		p.Write = append(p.Write, p.Temp)
	}
	return &lodged
}

// homeEnviron returns the variables that set the home directory to temp/home.
func homeEnviron(temp string) []string {
	home := filepath.Join(temp, lodgingHome)
	return []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "XDG_DATA_HOME=" + filepath.Join(home, ".local", "share"),
		"XDG_STATE_HOME=" + filepath.Join(home, ".local", "state"), "XDG_CACHE_HOME=" + filepath.Join(home, ".cache"),
	}
}

// Environ returns the variables that set the home directory of a program without a jail.
func (l *Lodging) Environ() []string { return homeEnviron(l.temp) }
