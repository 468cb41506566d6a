package command

import (
	"slices"
	"strings"
)

// wrapper describes where the arguments of a program contain the command that the program runs.
type wrapper struct {
	valued string // one-letter options that take a value
	long   string // space-separated long options that take a value
	skip   int    // number of operands before the command
	sets   bool   // whether assignments such as NAME=value can precede the command
	root   bool   // the command runs with changed privileges, as under sudo
}

func WrapperOf(name string) (wrapper, bool) {
	switch name {
	case "sudo":
		return wrapper{valued: "ughpCTrtDRU", long: "--user --group --host --prompt --chdir --chroot --role --type", sets: true, root: true}, true
	case "doas":
		return wrapper{valued: "uC", root: true}, true
	case "pkexec":
		return wrapper{long: "--user", root: true}, true
	case "runuser", "setpriv":
		return wrapper{valued: "ug", long: "--user --group --reuid --regid", root: true}, true
	case "env":
		return wrapper{valued: "uC", long: "--unset --chdir", sets: true}, true
	case "nohup", "setsid", "command", "builtin", "unbuffer", "busybox", "toybox", "dbus-run-session", "systemd-inhibit", "eatmydata",
		"linux32", "linux64", "i386", "x86_64", "torsocks", "torify", "tsocks", "cross-env", "cross-env-shell", "proot":
		return wrapper{sets: strings.HasPrefix(name, "cross-env")}, true
	case "npx", "bunx", "pnpx":
		return wrapper{valued: "p", long: "--package"}, true
	case "time", "gtime":
		return wrapper{valued: "of", long: "--output --format"}, true
	case "caffeinate":
		return wrapper{valued: "tw"}, true
	case "fakeroot":
		return wrapper{valued: "lsib", long: "--lib --faked"}, true
	case "setarch":
		return wrapper{skip: 1}, true
	case "prlimit", "choom", "uclampset":
		return wrapper{valued: "pn", long: "--pid --adjust"}, true
	case "numactl":
		return wrapper{valued: "iNCmpPl", long: "--interleave --cpunodebind --physcpubind --membind --preferred"}, true
	case "xvfb-run":
		return wrapper{valued: "efnpsw", long: "--error-file --auth-file --server-num --xauth-protocol --server-args --wait"}, true
	case "proxychains", "proxychains4":
		return wrapper{valued: "f"}, true
	case "ssh-agent":
		return wrapper{valued: "aEtP"}, true
	case "firejail":
		return wrapper{}, true
	case "logsave":
		return wrapper{skip: 1}, true
	case "faketime":
		return wrapper{valued: "pf", skip: 1}, true
	case "rlwrap":
		return wrapper{valued: "CDHSPbflqsVtO"}, true
	case "dotenv":
		return wrapper{valued: "ecvp", sets: true}, true
	case "exec":
		return wrapper{valued: "a"}, true
	case "nice":
		return wrapper{valued: "n", long: "--adjustment"}, true
	case "ionice":
		return wrapper{valued: "cnpPu"}, true
	case "chrt", "taskset":
		return wrapper{valued: "p", skip: 1}, true
	case "timeout":
		return wrapper{valued: "sk", long: "--signal --kill-after", skip: 1}, true
	case "stdbuf":
		return wrapper{valued: "ioe", long: "--input --output --error"}, true
	case "xargs":
		// -i, -l, -e, --replace and --max-lines are omitted. They never consume the next word.
		return wrapper{valued: "IJRSnPLdEsa", long: "--max-args --max-procs --max-chars --delimiter --arg-file --process-slot-var"}, true
	case "parallel":
		return wrapper{valued: "jIaN", long: "--jobs --joblog --colsep --arg-file"}, true
	case "watch":
		return wrapper{valued: "nd", long: "--interval"}, true
	case "chroot":
		return wrapper{skip: 1, root: true}, true
	case "unshare", "nsenter":
		return wrapper{valued: "tSGRw", long: "--target --root --wd"}, true
	case "flock":
		return wrapper{valued: "wE", long: "--wait --timeout", skip: 1}, true
	case "strace", "ltrace", "perf", "valgrind":
		return wrapper{valued: "oepsSEuaXPIO"}, true
	case "systemd-run":
		return wrapper{valued: "pEtuM", long: "--unit --property --setenv --slice"}, true
	case "docker-entrypoint", "dumb-init", "tini", "gosu", "su-exec":
		return wrapper{}, true
	}
	return wrapper{}, false
}

// commandIn returns the part of args after the wrapper's own options, operands and assignments.
func (w wrapper) commandIn(args []Word) []Word {
	for len(args) > 0 {
		text := args[0].Text
		switch {
		case text == "--":
			args = args[1:]
			return args[min(w.skip, len(args)):]
		case strings.HasPrefix(text, "--"):
			takes := !strings.Contains(text, "=") && slices.Contains(strings.Fields(w.long), text)
			args = args[min(len(args), 1+countOf(takes)):]
		case text == "-": // "env -" means "env -i"
			args = args[1:]
		case strings.HasPrefix(text, "-"):
			// If a letter takes a value, the value is the rest of the word or the next word.
			takes := strings.IndexAny(text[1:], w.valued) == len(text)-2
			args = args[min(len(args), 1+countOf(takes)):]
		case w.sets && strings.Contains(text, "=") && !strings.HasPrefix(text, "="):
			args = args[1:]
		default:
			return args[min(w.skip, len(args)):]
		}
	}
	return nil
}

func countOf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// behindRunner returns the command that follows words such as "uv run", "docker exec NAME" or
// "kubectl exec POD --". It returns nil if there is no such command.
func behindRunner(name string, args []Word) []Word {
	subcommands, form := runnerOf(name)
	if subcommands == "" {
		return nil
	}
	args = args[max(0, slices.IndexFunc(args, func(w Word) bool { return !strings.HasPrefix(w.Text, "-") })):]
	switch {
	case len(args) > 0 && args[0].Text == "compose":
		args = wrapper{valued: "fp", long: "--file --project-name --profile --env-file"}.commandIn(args[1:])
	case len(args) > 1 && args[0].Text == "netns":
		args = args[1:]
	}
	if name == "podman" && len(args) > 0 && args[0].Text == "unshare" {
		return wrapper{}.commandIn(args[1:])
	}
	if len(args) == 0 || !slices.Contains(strings.Fields(subcommands), args[0].Text) {
		return nil
	}
	if at := slices.IndexFunc(args, func(w Word) bool { return w.Text == "--" }); at > 0 && form.skip > 0 {
		return args[at+1:]
	}
	return form.commandIn(args[1:])
}

// runnerOf returns the subcommands, separated by spaces, with which a program runs a command. The
// second result describes the words between a subcommand and the command.
func runnerOf(name string) (subcommands string, form wrapper) {
	switch name {
	case "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "pixi", "op", "doppler", "dotenvx":
		return "run", wrapper{valued: "p", long: "--with --python --extra --group --project --directory --env-file"}
	case "conda", "mamba", "micromamba":
		return "run", wrapper{valued: "np", long: "--name --prefix --cwd"}
	case "bundle", "npm", "pnpm", "yarn", "bun", "mise", "asdf", "nodenv", "pyenv", "rbenv":
		return "exec dlx x", wrapper{valued: "pwC", long: "--package --workspace"}
	case "direnv":
		return "exec", wrapper{skip: 1}
	case "rustup":
		return "run", wrapper{skip: 1}
	case "docker", "podman", "nerdctl":
		return "exec run create", wrapper{valued: "aceghlmpuvw", skip: 1, long: "--add-host --cap-add --cap-drop --cpus --cidfile --device --dns --entrypoint --env --env-file --gpus --hostname --ip --label " +
			"--link --log-driver --memory --mount --name --network --pid --platform --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --tmpfs --ulimit --user --userns --volume --volumes-from --workdir"}
	case "kubectl", "oc", "lxc", "incus":
		return "exec", wrapper{valued: "cn", long: "--container --namespace --env --user", skip: 1}
	case "ip":
		return "exec", wrapper{skip: 1}
	case "buildah":
		return "unshare", wrapper{}
	}
	return "", wrapper{}
}
