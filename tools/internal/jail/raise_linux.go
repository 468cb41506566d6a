package jail

import (
	"os"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
)

// raiseMounts describes how the user can allow Marvin to mount file systems.
func raiseMounts() string {
	for _, one := range []struct{ file, off, command string }{
		{"/proc/sys/user/max_user_namespaces", "0", "sudo sysctl -w user.max_user_namespaces=15000"},
		{"/proc/sys/kernel/unprivileged_userns_clone", "0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"},
		{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
	} {
		if text, err := os.ReadFile(one.file); err == nil && strings.TrimSpace(string(text)) == one.off && !inContainer() {
			return one.command
		}
	}
	if inContainer() {
		return "start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined, or with --privileged"
	}
	return "allow user namespaces for this user (\"unshare -Urm true\" shows whether they are allowed)"
}

func inContainer() bool {
	return disk.Exists("/.dockerenv") || disk.Exists("/run/.containerenv") || disk.Exists("/var/run/secrets/kubernetes.io")
}
