package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// unprivileged makes a command run as in a container without privileges: as root of a user
// namespace that can neither mount anything nor create another namespace.
func unprivileged(t *testing.T, command *exec.Cmd) {
	t.Helper()
	const within = `echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin -- bash -c 'exec -a marvin "$0" "$@"' "$0" "$@"`
	if err := exec.Command("unshare", "-Ur", "sh", "-c", within, "true").Run(); err != nil {
		t.Skip("this system has no user namespaces to try it in: ", err)
	}
	bash, err := exec.LookPath("unshare")
	if err != nil {
		t.Skip(err)
	}
	command.Args = append([]string{"unshare", "-Ur", "sh", "-c", within, command.Path}, command.Args[1:]...)
	command.Path = bash
	command.Env = slices.DeleteFunc(command.Env, func(entry string) bool { return strings.HasPrefix(entry, "MARVIN_SANDBOX=") })
}

func TestTierACommandRunsInAContainerAndIsHeld(t *testing.T) {
	var results []string
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			results = append(results, request.Last().Result.Text)
		}
		if len(results) == 2 {
			return modeltest.Text("done")
		}
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "echo made > here; echo evil > ../outside; cat here"}})
	}, "-p", "go")
	unprivileged(t, command)
	outside := command.Dir + "/../outside"
	if err := os.Remove(outside); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if out, err := command.CombinedOutput(); err != nil || len(results) != 2 {
		t.Fatalf("%v, %d results: %s", err, len(results), out)
	}
	if !strings.Contains(results[0], "made") || !strings.Contains(results[0], "does not let Marvin make mounts") || strings.Contains(results[1], "does not let Marvin make mounts") {
		t.Errorf("%q", results)
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("it wrote outside")
	}
}

// The doctor reports the layers of the sandbox, and how to add the missing ones.
func TestTierTheDoctorSaysWhatRaisesIt(t *testing.T) {
	command := process(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("x") })
	command.Args = []string{"marvin", "doctor"}
	unprivileged(t, command)
	out, _ := command.CombinedOutput()
	for _, want := range []string{"- sandbox", "weaker: this system does not let Marvin make mounts", "mend: sudo sysctl -w user.max_user_namespaces="} {
		if !strings.Contains(string(out), want) && !(strings.HasPrefix(want, "mend: sudo") && strings.Contains(string(out), "mend: start the container with")) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
