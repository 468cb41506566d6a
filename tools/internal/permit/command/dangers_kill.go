package command

import (
	"slices"
	"strings"
)

// kills adds a danger to the report if a command such as killall can end processes outside the
// project.
func (a *assessor) kills(part Part, name string, args []Word) {
	if oneOf(args, "-l", "--list", "-L", "--table") != "" && name == "kill" {
		return
	}
	for n, arg := range args {
		signal := n > 0 && (args[n-1].Text == "-s" || args[n-1].Text == "-n" || args[n-1].Text == "--signal")
		switch {
		case name == "kill" && !signal && (n > 0 || len(args) == 1) && (arg.Text == "-1" || arg.Text == "1" || arg.Text == "0"):
			a.danger(part, "ends all of the user's processes, or shuts the system down", "kill", arg.Text)
			return
		case name == "kill" && strings.HasSuffix(arg.Text, "PPID"):
			a.danger(part, "ends the program that runs this command", "kill", arg.Text)
			return
		case name != "kill" && slices.Contains([]string{"-u", "-U", "-G", "--user", "--euid", "--uid", "--group", "-v", "--inverse", "-g", "-s"}, arg.Text) && !(name == "killall" && slices.Contains([]string{"-v", "-g", "-s"}, arg.Text)):
			a.danger(part, "ends all or most processes of a user", name, arg.Text)
			return
		case name != "kill" && !strings.HasPrefix(arg.Text, "-") && !signal && essential(arg.Text):
			a.danger(part, "ends shells, logins or processes that the session needs", name, arg.Text)
			return
		}
	}
}

// essential returns true if a pattern for process names matches a program that the user or the
// system needs. A pattern with arguments, such as "bash run.sh", is assumed to match only the
// project's programs.
func essential(pattern string) bool {
	pattern = strings.Trim(pattern, "^$")
	if strings.Trim(pattern, ".*+[]?") == "" {
		return true // the pattern matches every program
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(pattern, "("), ")"), "|") {
		switch name[strings.LastIndexByte(name, '/')+1:] {
		case "bash", "sh", "zsh", "fish", "dash", "ksh", "login", "sshd", "ssh-agent", "gpg-agent", "systemd", "init", "dbus", "dbus-daemon", "tmux", "screen", "marvin", "Xorg", "X", "Xwayland", "gnome-shell", "kwin",
			"plasmashell", "sway", "gdm", "sddm", "lightdm", "NetworkManager", "cron", "dockerd", "containerd", "agetty", "getty", "loginwindow", "WindowServer", "Finder", "pipewire", "wpa_supplicant", "udevd", "rsyslogd", "polkitd":
			return true
		}
	}
	return false
}

// recordSearch records a command that searches for [essential] processes. Another command in the
// line can end these processes, as in "kill $(pgrep bash)".
func (a *assessor) recordSearch(part Part, args []Word) {
	for _, arg := range args {
		if !strings.HasPrefix(arg.Text, "-") && essential(arg.Text) {
			a.sought = append(a.sought, part)
		}
	}
}

// endsSought adds a danger to the report if one command in the line searches for [essential]
// processes and another command ends processes.
func (a *assessor) endsSought() {
	if len(a.sought) > 0 && a.ends {
		a.danger(a.sought[0], "can end shells, logins or processes that the session needs", Texts(a.sought[0].Words)...)
	}
}
