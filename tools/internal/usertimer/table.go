package usertimer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"marvin/persistence"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/text"
)

// patience is the time limit for each call to systemctl.
const patience = 10 * time.Second

// Table holds the timers of a user.
type Table struct {
	Environ []string                                // Marvin's environment
	Home    string                                  // the user's home directory; may be ""
	Lock    func() (unlock func() error, err error) // the lock function for [Table.Set]
}

// dir returns the directory in which the user's systemd looks for units.
func (t Table) dir() string {
	if config := proc.Lookup(t.Environ, "XDG_CONFIG_HOME"); filepath.IsAbs(config) {
		return filepath.Join(config, "systemd", "user")
	}
	if t.Home == "" {
		return ""
	}
	return filepath.Join(t.Home, ".config", "systemd", "user")
}

// NoTimers returns the reason why timers cannot be used, or "" if they can be used.
func (t Table) NoTimers(ctx context.Context) (why string) {
	if runtime.GOOS != "linux" || t.dir() == "" {
		return "there is no systemd"
	}
	if _, err := proc.Find("systemctl", t.Environ); err != nil {
		return "systemd is not installed"
	}
	said, err := t.systemctl(ctx, "show", "--property=UnitPath")
	if err != nil {
		return "the systemd user instance is not running"
	}
	paths := strings.Fields(strings.TrimPrefix(strings.TrimSpace(said), "UnitPath="))
	if !slices.Contains(paths, t.dir()) {
		return "the systemd user instance does not read " + t.dir()
	}
	return ""
}

// OutlivesLogin reports whether the user's systemd keeps running while the user is not logged in.
func (t Table) OutlivesLogin() bool {
	for _, name := range []string{"USER", "LOGNAME"} {
		if user := proc.Lookup(t.Environ, name); user != "" && filepath.Base(user) == user {
			_, err := os.Stat(filepath.Join("/var/lib/systemd/linger", user))
			return err == nil
		}
	}
	return false
}

// Set replaces the service's timers. If timers is empty, Set also removes the service. If nothing
// changes, Set writes nothing.
func (t Table) Set(ctx context.Context, service Service, timers []Timer) (err error) {
	wanted, err := service.units(timers)
	if err != nil || t.dir() == "" {
		return err
	}
	unlock, err := t.Lock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	present, err := t.readUnits(service)
	if err != nil || maps.Equal(present, wanted) {
		return err
	}
	var gone, changed []string
	for name := range present {
		if _, stays := wanted[name]; !stays && strings.HasSuffix(name, ".timer") {
			gone = append(gone, name)
		}
	}
	for name, unit := range wanted {
		if present[name] != unit && strings.HasSuffix(name, ".timer") {
			changed = append(changed, name)
		}
	}
	slices.Sort(gone)
	slices.Sort(changed)
	// Disable the timers before their files are removed, while systemd still knows the timers.
	if len(gone) > 0 {
		_, err = t.systemctl(ctx, slices.Concat([]string{"disable", "--now"}, gone)...)
	}
	return errors.Join(err, t.storeUnits(present, wanted), t.reload(ctx, changed))
}

// readUnits returns the units that Marvin has written for the service, as a map from unit name to
// text.
func (t Table) readUnits(service Service) (map[string]string, error) {
	found := map[string]string{}
	entries, err := os.ReadDir(t.dir())
	if errors.Is(err, os.ErrNotExist) {
		return found, nil
	}
	for _, entry := range entries {
		name := entry.Name()
		if !entry.Type().IsRegular() || name != service.unit() && !(strings.HasPrefix(name, service.Prefix+"-") && strings.HasSuffix(name, ".timer")) {
			continue
		}
		unit, failed := persistence.ReadText(filepath.Join(t.dir(), name))
		if failed == nil && strings.HasPrefix(unit, mark) { // other units belong to the user
			found[name] = unit
		}
		err = errors.Join(err, failed)
	}
	return found, err
}

// storeUnits stores the changed units and removes the unwanted ones.
func (t Table) storeUnits(present, wanted map[string]string) (err error) {
	for name := range present {
		if wanted[name] == "" {
			err = errors.Join(err, persistence.ReplaceText(filepath.Join(t.dir(), name), ""))
		}
	}
	for name, unit := range wanted {
		path := filepath.Join(t.dir(), name)
		before, failed := persistence.ReadText(path)
		switch {
		case failed != nil:
		case before != "" && !strings.HasPrefix(before, mark):
			failed = fmt.Errorf("%s is not from Marvin; rename it", path)
		case before != unit:
			failed = persistence.ReplaceText(path, unit)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// reload makes systemd read the units again, and then enables and restarts the changed timers.
func (t Table) reload(ctx context.Context, changed []string) error {
	if _, err := t.systemctl(ctx, "daemon-reload"); err != nil || len(changed) == 0 {
		return err
	}
	if _, err := t.systemctl(ctx, append([]string{"enable"}, changed...)...); err != nil {
		return err
	}
	_, err := t.systemctl(ctx, append([]string{"restart"}, changed...)...)
	return err
}

func (t Table) systemctl(ctx context.Context, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	result, err := proc.Run(ctx, proc.Command{
		Name: "systemctl", Args: append([]string{"--user", "--no-pager", "--no-ask-password"}, args...), Dir: "/",
		Environ: t.Environ, Env: append([]string{"LC_ALL=C"}, t.bus()...), Limit: 64 << 10,
	})
	if err == nil && result.ExitCode != 0 {
		err = fmt.Errorf("systemctl --user %s failed with exit code %d: %s", args[0], result.ExitCode, text.Clip(text.OneLine(result.Stderr.Text()), 200))
	}
	return result.Stdout.Text(), err
}

// bus returns an assignment to XDG_RUNTIME_DIR, which systemctl needs outside a login session. If
// XDG_RUNTIME_DIR is already set, or the user has no directory in /run/user, bus returns nil.
func (t Table) bus() []string {
	dir := fmt.Sprintf("/run/user/%d", os.Getuid())
	if proc.Lookup(t.Environ, "XDG_RUNTIME_DIR") != "" {
		return nil
	}
	if _, err := os.Stat(dir); err != nil {
		return nil
	}
	return []string{"XDG_RUNTIME_DIR=" + dir}
}
