package jail

// socketPlaces lists sockets and socket directories of programs that run commands for their
// clients. [sockets.Table] and [sockets.Finder] find other listening sockets when a command begins.
var socketPlaces = [...]string{
	"/run/docker.sock", "/run/podman", "/run/containerd", "/run/crio", "/run/dbus", "/run/snapd.socket", "/run/libvirt",
	"/run/systemd/private", "/run/screen", "/run/WSL", "/run/user", "/var/run/docker.sock", "/var/run/dbus", "/run/postgresql", "/var/run/postgresql",
	"/run/mysqld", "/var/run/mysqld", "/run/uuidd", "/run/pcscd", "/tmp/.X11-unix",
}

// ownSocketPlaces is like socketPlaces, but relative to the home directory.
var ownSocketPlaces = [...]string{".docker/run", ".docker/desktop", ".colima", ".lima", ".rd", ".orbstack", ".local/share/containers/podman/machine"}

// spokenTo lists the sockets that commands may use if the jail is not offline. Services at these
// sockets only look up hosts and users. In a pattern, "*" matches any file name.
var spokenTo = [...]string{
	"/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve", "/run/systemd/userdb/*", "/var/lib/sss/pipes/nss", "/run/avahi-daemon/socket",
	"/var/run/nscd/socket", "/var/run/avahi-daemon/socket",
}
