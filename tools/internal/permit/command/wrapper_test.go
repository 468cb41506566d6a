package command

import (
	"strings"
	"testing"
)

func TestWrappedCommand(t *testing.T) {
	for line, want := range map[string]string{
		"sudo rm x": "rm x", "sudo -u me rm x": "rm x", "sudo -ume rm": "rm", "sudo -nu me rm": "rm", "sudo -un me rm": "me rm", "sudo --user me rm": "rm", "sudo --user=me rm": "rm", "sudo --login rm": "rm", "sudo A=b rm": "rm", "sudo -- rm -f": "rm -f", "sudo -u": "", "sudo": "",
		"doas A=b rm": "A=b rm", "env - A=b ls": "ls", "env -i A=b ls -l": "ls -l", "env -u X ls": "ls", "env -C /x ls": "ls", "env --chdir /x ls": "ls", "env =x ls": "=x ls", "env A=b": "",
		"nice -n 5 ls": "ls", "nice --adjustment 5 ls": "ls", "nice -n5 ls": "ls", "timeout 5 ls": "ls", "timeout -s KILL 5 ls -l": "ls -l", "timeout --signal=KILL -- 5 ls": "ls", "timeout 5": "", "timeout": "",
		"chrt 5 ls": "ls", "taskset -p 1 2 ls": "ls", "flock -w 3 /l ls": "ls", "chroot /x ls": "ls", "stdbuf -o L ls": "ls", "stdbuf -oL ls": "ls", "xargs -n 1 rm": "rm", "xargs -0 rm": "rm", "xargs --max-args 1 rm": "rm",
		"nohup ls": "ls", "npx -p x y": "y", "npx --package x y": "y", "watch -n 1 ls": "ls", "strace -o f ls": "ls", "exec -a name ls": "ls", "runuser -u me ls": "ls", "pkexec --user me ls": "ls", "tini -- ls": "ls",
	} {
		fields := strings.Fields(line)
		w, ok := WrapperOf(fields[0])
		if !ok {
			t.Errorf("%s runs nothing else", fields[0])
			continue
		}
		var args []Word
		for _, field := range fields[1:] {
			args = append(args, Word{Text: field})
		}
		var got []string
		for _, word := range w.commandIn(args) {
			got = append(got, word.Text)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", line, text, want)
		}
	}
	for name, root := range map[string]bool{"sudo": true, "doas": true, "pkexec": true, "setpriv": true, "chroot": true, "env": false, "nice": false} {
		if w, _ := WrapperOf(name); w.root != root {
			t.Errorf("%s runs it with other rights: %v", name, w.root)
		}
	}
	if _, ok := WrapperOf("ls"); ok {
		t.Error("ls runs something else")
	}
}
