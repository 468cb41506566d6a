package protected

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Disk finds places by name and by file identity. A place can be a link, for example into a
// repository of dotfiles.
type Disk struct {
	names  *Names
	linked *Names // the places whose paths contain links, by resolved path
	places []onDisk
	dirs   map[string]resolvedDir
}

// onDisk is a place that exists.
type onDisk struct {
	Place
	parts []string // the components of the resolved path
	info  fs.FileInfo
}

type resolvedDir struct {
	real   string
	exists bool
}

// If a directory contains more than fewPlaces places, Look lists the directory instead of checking
// each place.
const fewPlaces = 4

// Look finds the places that exist on the disk. It takes about as long as reading the home
// directory.
func (w Locations) Look() *Disk {
	d := &Disk{dirs: map[string]resolvedDir{}, names: w.Names(), linked: &Names{places: map[string]Place{}}}
	for dir, places := range d.names.dirs {
		above := d.resolve(dir)
		there := func(string) bool { return above.exists }
		if above.exists && len(places) > fewPlaces {
			there = listDir(above.real)
		}
		for _, place := range places {
			base := filepath.Base(place.Path)
			d.add(place, filepath.Join(above.real, base), there(base))
		}
	}
	return d
}

// listDir returns a function that reports whether dir contains a file name. The function compares
// names as [SameName] does, and returns true if dir cannot be listed.
func listDir(dir string) func(name string) bool {
	entries, err := os.ReadDir(dir)
	names := make(map[string]bool, len(entries))
	for _, entry := range entries {
		names[fold(entry.Name())] = true
	}
	return func(name string) bool { return err != nil || names[fold(name)] }
}

// add adds a place to d.linked if links change its path, and to d.places if the place exists.
func (d *Disk) add(place Place, real string, there bool) {
	var info fs.FileInfo
	if there {
		info, _ = os.Lstat(real)
	}
	if info != nil && info.Mode()&os.ModeSymlink != 0 {
		real = resolved(real)
		info, _ = os.Stat(real)
	}
	if real != place.Path {
		d.linked.add(Split(real), place)
	}
	if info != nil {
		d.places = append(d.places, onDisk{Place: place, parts: Split(real), info: info})
	}
}

// resolve resolves the links in the existing part of a directory's path.
func (d *Disk) resolve(dir string) resolvedDir {
	if known, ok := d.dirs[dir]; ok {
		return known
	}
	found := resolvedDir{real: dir, exists: true}
	if above := filepath.Dir(dir); above != dir {
		parent := d.resolve(above)
		found = resolvedDir{real: filepath.Join(parent.real, filepath.Base(dir))}
		if parent.exists {
			info, err := os.Lstat(found.real)
			found.exists = err == nil
			if err == nil && info.Mode()&os.ModeSymlink != 0 {
				found.real = resolved(found.real)
				_, err = os.Stat(found.real)
				found.exists = err == nil
			}
		}
	}
	d.dirs[dir] = found
	return found
}

// resolved resolves the links in the existing part of a path. For a dangling link, it returns the
// link's target.
func resolved(name string) string {
	for links := 0; links < 40; links++ {
		target, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(name), target)
		}
		name = filepath.Clean(target)
	}
	for above, rest := name, ""; ; {
		if real, err := filepath.EvalSymlinks(above); err == nil {
			return filepath.Join(real, rest)
		}
		if above == filepath.Dir(above) {
			return name
		}
		above, rest = filepath.Dir(above), filepath.Join(filepath.Base(above), rest)
	}
}

// PlaceOf returns the strictest place that contains a path. The caller must resolve symbolic links
// first. PlaceOf compares both names and file identities, because a file can have several names.
func (d *Disk) PlaceOf(real string) (found Place, ok bool) {
	parts, chain := Split(real), lineage(real)
	found, ok = d.names.find(parts)
	if elsewhere, known := d.linked.find(parts); known && (!ok || elsewhere.Row.stricter(found.Row)) {
		found, ok = elsewhere, true
	}
	for _, place := range d.places {
		if (!ok || place.Row.stricter(found.Row)) && place.isAmong(chain, parts) {
			found, ok = place.Place, true
		}
	}
	if !ok && len(chain) > 0 {
		found, ok = d.secondName(chain[0].info)
	}
	if ok {
		return found, true
	}
	return placeAnywhere(parts)
}

// ancestor is an existing file or directory on a path.
type ancestor struct {
	info  fs.FileInfo
	parts int // the number of components in the ancestor's path
}

// lineage returns the existing files and directories on a path, from the path itself up to the
// root. If the path itself does not exist, the first element is empty.
func lineage(real string) []ancestor {
	var chain []ancestor
	for at := real; ; at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil {
			chain = append(chain, ancestor{info, len(Split(at))})
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if len(chain) > 0 && chain[0].parts != len(Split(real)) { // the file does not exist yet
		chain = append([]ancestor{{}}, chain...)
	}
	return chain
}

// isAmong reports whether a path is inside a place but outside the place's [FreeDirs]. It finds the
// place by file identity.
func (o onDisk) isAmong(chain []ancestor, parts []string) bool {
	for _, one := range chain {
		if one.info != nil && os.SameFile(o.info, one.info) {
			last := append(append([]string{}, o.parts...), parts[one.parts:]...)
			return !inFreeDir(last, len(o.parts))
		}
	}
	return false
}

// mostLinked is the maximum number of entries that secondName examines in one protected directory.
const mostLinked = 20000

// secondName returns the protected place that contains a hard link to the given file. A write to
// the file would also change the linked file.
func (d *Disk) secondName(info fs.FileInfo) (found Place, ok bool) {
	if info == nil || !info.Mode().IsRegular() || !severalNames(info) {
		return Place{}, false
	}
	for _, place := range d.places {
		if !place.info.IsDir() || !place.Row.Runs || ok && !place.Row.stricter(found.Row) {
			continue
		}
		left := mostLinked
		_ = filepath.WalkDir("/"+filepath.Join(place.parts...), func(_ string, entry fs.DirEntry, err error) error {
			if left--; left < 0 {
				return fs.SkipAll
			}
			if err != nil || !entry.Type().IsRegular() {
				return nil
			}
			if other, err := entry.Info(); err == nil && os.SameFile(other, info) {
				found, ok = place.Place, true
				return fs.SkipAll
			}
			return nil
		})
	}
	return found, ok
}
