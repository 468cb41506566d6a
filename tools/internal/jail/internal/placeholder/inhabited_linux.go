package placeholder

import (
	"maps"
	"os"
	"strconv"
	"syscall"

	"marvin/tools/internal/jail/internal/mountinfo"
)

// LivingMounts returns the mount points of all of this user's living processes that have their own
// mounts. A process in a jail cannot hide from this search, even if another Marvin process started
// the jail. The search sends a null signal to each process, and takes about 50 µs for each set of
// mounts.
func LivingMounts() map[string]bool {
	points := map[string]bool{}
	own, _ := os.Readlink("/proc/self/ns/mnt")
	entries, _ := os.ReadDir("/proc")
	seen := map[string]bool{own: true}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || syscall.Kill(pid, 0) != nil {
			continue // not a process, or the process has ended or belongs to another user
		}
		// The namespace of a non-dumpable process is unreadable, but its mounts are readable.
		namespace, err := os.Readlink("/proc/" + entry.Name() + "/ns/mnt")
		if err == nil && seen[namespace] {
			continue
		}
		table, _ := os.ReadFile("/proc/" + entry.Name() + "/mountinfo") // the process may have ended
		seen[namespace] = err == nil
		maps.Copy(points, MountPoints(table))
	}
	return points
}

// MountPoints returns the mount points in a mountinfo table.
func MountPoints(table []byte) map[string]bool {
	points := map[string]bool{}
	for _, mount := range mountinfo.Parse(table) {
		points[mount.Point] = true
	}
	return points
}
