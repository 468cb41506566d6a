package command

import (
	"slices"
	"strings"
)

// behindRunner is the command after a subcommand that runs another program: uv run, docker exec
// NAME, kubectl exec POD --; nil without one.
func behindRunner(name string, args []Word) []Word {
	subcommands, form := runnerOf(name)
	if subcommands == "" {
		return nil
	}
	args = args[max(0, slices.IndexFunc(args, func(w Word) bool { return !strings.HasPrefix(w.Text, "-") })):]
	switch {
	case len(args) > 0 && args[0].Text == "compose":
		args = wrapper{valued: "fp", long: "--file --project-name --profile --env-file"}.behind(args[1:])
	case len(args) > 1 && args[0].Text == "netns":
		args = args[1:]
	}
	if len(args) == 0 || !slices.Contains(strings.Fields(subcommands), args[0].Text) {
		return nil
	}
	if at := slices.IndexFunc(args, func(w Word) bool { return w.Text == "--" }); at > 0 && form.skip > 0 {
		return args[at+1:]
	}
	return form.behind(args[1:])
}

// runnerOf names the subcommands of a program that run another one, and what stands
// between the two.
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
	}
	return "", wrapper{}
}
