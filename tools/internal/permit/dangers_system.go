package permit

import "strings"

// program notes programs that are dangerous whatever their paths are: to the system,
// to disks, to what others see.
func (i *inspector) program(part Part, name string, args []Word) {
	always := func(why string) { i.danger(part, why, append([]string{name}, texts(args)...)...) }
	with := func(why string, words ...string) {
		if mark := oneOf(args, words...); mark != "" {
			i.danger(part, why, name, mark)
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
		always("changes the users of the machine")
	case "iptables", "ip6tables", "nft", "ufw", "firewall-cmd", "setenforce", "sysctl", "modprobe", "rmmod", "insmod", "kexec":
		always("changes the system")
	case "dropdb", "dropuser", "mysqladmin":
		always("destroys a database")
	case "terraform", "tofu", "terragrunt", "pulumi", "cdk":
		with("changes or destroys infrastructure", "destroy", "apply", "up")
	case "kubectl", "oc", "helm":
		with("deletes what runs in a cluster", "delete", "uninstall", "drain", "replace", "rollback")
	case "aws", "gcloud", "az", "gsutil", "s3cmd", "rclone", "doctl", "flyctl", "fly", "heroku", "mc":
		i.cloud(part, name, args)
	case "docker", "podman", "nerdctl":
		with("deletes containers, images or volumes", "prune", "rm", "rmi", "kill")
		with("gives what others can fetch", "push")
		if oneOf(args, "down") != "" {
			with("deletes volumes with what is in them", "-v", "--volumes")
		}
	case "nc", "ncat", "netcat":
		with("hands a shell to another machine", "-e", "-c", "--exec", "--sh-exec")
	case "socat":
		for _, arg := range args {
			if kind, _, _ := strings.Cut(strings.ToLower(arg.text), ":"); kind == "exec" || kind == "system" || kind == "shell" {
				i.danger(part, "hands a program to another machine", name, arg.text)
			}
		}
	case "killall5":
		always("ends all processes")
	case "gh", "glab":
		with("deletes or publishes at the forge", "delete", "archive", "transfer", "rename")
	case "npm", "pnpm", "yarn", "bun", "cargo", "poetry", "uv", "flit", "lerna", "mvn", "gradle":
		with("publishes, which cannot be taken back", "publish", "unpublish", "deprecate", "yank", "deploy")
	case "gem":
		with("publishes, which cannot be taken back", "push", "yank")
	case "twine", "vsce":
		with("publishes, which cannot be taken back", "upload", "publish")
	case "mail", "mailx", "sendmail", "mutt", "msmtp", "swaks", "at", "batch":
		always("sends mail, or runs later when nobody looks")
	case "history":
		with("deletes the history of the shell", "-c", "-d", "-w")
	default:
		if strings.HasPrefix(name, "mkfs") || strings.HasPrefix(name, "mke2fs") || strings.HasPrefix(name, "newfs") {
			always("makes a new file system over what is there")
		}
	}
}

// cloud notes what deletes at a provider: its verbs are prefixes of words.
func (i *inspector) cloud(part Part, name string, args []Word) {
	for _, arg := range args {
		for _, verb := range []string{"delete", "terminate", "destroy", "remove", "purge", "rb", "rm", "del", "deletefile", "apps:destroy"} {
			if arg.text == verb || strings.HasPrefix(arg.text, verb+"-") || name == "rclone" && arg.text == "sync" {
				i.danger(part, "deletes at a provider", name, arg.text)
				return
			}
		}
	}
}
