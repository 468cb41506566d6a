package command

import (
	"slices"
	"strings"
)

// program assesses commands whose danger does not depend on the paths in their arguments.
func (a *assessor) program(part Part, name string, args []Word) {
	if shows(name, args) {
		return
	}
	always := func(why string) { a.danger(part, why, append([]string{name}, Texts(args)...)...) }
	with := func(why string, words ...string) {
		if mark := oneOf(args, words...); mark != "" {
			a.danger(part, why, name, mark)
		}
	}
	switch name {
	case "shutdown", "reboot", "halt", "poweroff", "telinit", "init":
		always("stops the machine")
	case "systemctl":
		with("stops the machine or its services", "poweroff", "reboot", "halt", "kexec", "suspend", "hibernate", "rescue", "emergency", "isolate", "stop", "disable", "mask", "kill")
	case "service":
		with("stops a service", "stop")
	case "mkswap", "fdisk", "sfdisk", "cfdisk", "gdisk", "sgdisk", "parted", "wipefs", "blkdiscard", "badblocks", "hdparm", "nvme",
		"lvremove", "vgremove", "pvremove", "cryptsetup", "mdadm", "zpool", "zfs", "swapoff", "mount", "umount", "losetup", "tune2fs", "debugfs", "fsck", "resize2fs", "diskutil", "format":
		always("changes disks")
	case "userdel", "groupdel", "usermod", "useradd", "passwd", "chpasswd", "visudo", "deluser":
		always("changes the user accounts of the machine")
	case "iptables", "ip6tables", "nft", "ufw", "firewall-cmd", "setenforce", "sysctl", "modprobe", "rmmod", "insmod", "kexec":
		always("changes the system")
	case "dropdb", "dropuser", "mysqladmin":
		always("destroys a database")
	case "terraform", "tofu", "terragrunt", "pulumi", "cdk":
		with("changes or destroys infrastructure", "destroy", "apply", "up")
	case "kubectl", "oc", "helm":
		with("deletes what runs in a cluster", "delete", "uninstall", "drain", "replace", "rollback")
	case "aws", "gcloud", "az", "gsutil", "s3cmd", "rclone", "doctl", "flyctl", "fly", "heroku", "mc":
		a.cloud(part, name, args)
	case "docker", "podman", "nerdctl":
		a.containers(part, name, operands(args), args)
	case "nc", "ncat", "netcat":
		with("lets another machine control a shell", "-e", "-c", "--exec", "--sh-exec")
	case "socat":
		for _, arg := range args {
			if kind, _, _ := strings.Cut(strings.ToLower(arg.Text), ":"); kind == "exec" || kind == "system" || kind == "shell" {
				a.danger(part, "lets another machine control a program", name, arg.Text)
			}
		}
	case "killall5":
		always("ends all processes")
	case "mail", "mailx", "sendmail", "mutt", "msmtp", "swaks", "at", "batch":
		always("sends mail, or runs later without supervision")
	case "history":
		with("deletes the shell history", "-c", "-d", "-w")
	default:
		publishes(name, with)
		if strings.HasPrefix(name, "mkfs") || strings.HasPrefix(name, "mke2fs") || strings.HasPrefix(name, "newfs") {
			always("makes a new file system over existing data")
		}
	}
}

func publishes(name string, with func(why string, words ...string)) {
	switch name {
	case "gh", "glab":
		with("deletes or publishes something on GitHub or GitLab", "delete", "archive", "transfer", "rename")
	case "npm", "pnpm", "yarn", "bun", "cargo", "poetry", "uv", "flit", "lerna", "mvn", "gradle":
		with("publishes something, which cannot be undone", "publish", "unpublish", "deprecate", "yank", "deploy")
	case "gem":
		with("publishes something, which cannot be undone", "push", "yank")
	case "twine", "vsce":
		with("publishes something, which cannot be undone", "upload", "publish")
	}
}

// shows returns true if a command only displays information.
func shows(name string, args []Word) bool {
	if len(args) == 1 && oneOf(args, "--help", "--version", "-h", "-V") != "" {
		return name != "shutdown" && name != "halt" && name != "poweroff"
	}
	words := Texts(args)
	only := func(options ...string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(options, word) })
	}
	first := func(subcommands ...string) bool { return len(words) > 0 && slices.Contains(subcommands, words[0]) }
	switch name {
	case "mount":
		return only("-l", "-v") || len(words) == 2 && words[0] == "-t"
	case "fdisk", "sfdisk", "gdisk", "sgdisk", "parted", "badblocks":
		return first("-l", "--list", "-p")
	case "losetup":
		return only("-a", "--all", "-l", "--list")
	case "nvme", "diskutil", "zpool", "zfs", "nft", "ufw":
		return first("list", "status", "info", "iostat", "get", "smart-log", "id-ctrl")
	case "cryptsetup":
		return first("status", "luksDump", "isLuks")
	case "mdadm":
		return first("--detail", "-D", "--examine", "-E")
	case "hdparm":
		return first("-I", "-i", "-g")
	case "iptables", "ip6tables":
		return first("-L", "-S", "--list", "--list-rules") || len(words) > 2 && words[0] == "-t" && strings.Contains(" -L -S ", " "+words[2]+" ")
	case "firewall-cmd":
		return first("--state", "--list-all", "--list-ports", "--list-services", "--get-active-zones")
	case "sysctl":
		return !slices.ContainsFunc(words, func(word string) bool {
			return strings.Contains(word, "=") || strings.HasPrefix(word, "-") && strings.ContainsAny(word, "wpf") || strings.HasPrefix(word, "--") && word != "--all" && word != "--values"
		})
	case "passwd":
		return first("-S", "--status")
	case "mysqladmin":
		return slices.Contains(words, "status") || slices.Contains(words, "ping") || slices.Contains(words, "version")
	case "tune2fs", "debugfs":
		return first("-l")
	case "at":
		return first("-l")
	}
	return false
}

// containers adds a danger to the report if a command deletes containers, images or volumes, or
// publishes images.
func (a *assessor) containers(part Part, name string, words, args []Word) {
	if len(words) > 0 && slices.Contains([]string{"container", "image", "volume", "network", "system", "builder", "compose", "pod", "buildx", "manifest"}, words[0].Text) {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	switch subcommand := words[0].Text; subcommand {
	case "prune", "rm", "rmi", "kill", "remove":
		a.danger(part, "deletes containers, images or volumes", name, subcommand)
	case "push":
		a.danger(part, "publishes something that others can fetch", name, subcommand)
	case "down":
		if mark := oneOf(args, "-v", "--volumes"); mark != "" {
			a.danger(part, "deletes volumes with their contents", name, mark)
		}
	case "run", "exec":
	default:
		// Options of the program, perhaps with values, may precede the subcommand.
		if mark := oneOf(words, "prune", "rm", "rmi"); mark != "" && strings.HasPrefix(args[0].Text, "-") {
			a.danger(part, "deletes containers, images or volumes", name, mark)
		}
	}
}

// cloud adds a danger to the report if a command deletes something at a cloud provider. It
// recognizes arguments such as "delete" and "delete-bucket".
func (a *assessor) cloud(part Part, name string, args []Word) {
	for _, arg := range args {
		for _, verb := range []string{"delete", "terminate", "destroy", "remove", "purge", "rb", "rm", "del", "deletefile", "apps:destroy"} {
			if arg.Text == verb || strings.HasPrefix(arg.Text, verb+"-") || name == "rclone" && arg.Text == "sync" {
				a.danger(part, "deletes at a provider", name, arg.Text)
				return
			}
		}
	}
}
