package command

import (
	"slices"
	"strings"
)

func connected(name string, args []Word) []Sending {
	switch name {
	case "scp", "rsync", "rclone":
		return copyHosts(name, args)
	case "socat":
		return socatHosts(args)
	case "openssl":
		return secured(args)
	case "nc", "ncat", "netcat", "telnet", "ftp", "lftp", "tftp":
		return dialled(name, args)
	}
	return loggedIn(name, args)
}

// loginValued returns the letters of the options that take a value in ssh or a similar program. The
// letters come from the usage messages, and differ: -s and -X take a value in sftp, but not in ssh.
func loginValued(name string) string {
	switch name {
	case "sftp":
		return "BbcDFiJloPRSsX"
	case "ssh-copy-id":
		return "ipoFt"
	case "mosh":
		return "p"
	case "autossh":
		return "MBbcDEeFIiJLlmOopQRSWw"
	}
	return "BbcDEeFIiJLlmOopQRSWw"
}

// loggedIn returns the login host and the jump hosts of ssh or a similar program.
func loggedIn(name string, args []Word) (list []Sending) {
	found := false
	eachOption(args, loginValued(name), "", func(option string, value Word) {
		switch {
		case option == "-J":
			for jump := range strings.SplitSeq(value.Text, ",") {
				list = append(list, toLogin(jump)...)
			}
		case option == "-o" && redirects(value.Text):
			list = append(list, somewhere...)
		case option == "" && !found:
			found = true
			list = append(list, toLogin(value.Text)...)
		}
	})
	return list
}

// redirects returns true if an ssh -o setting can add or change a destination.
func redirects(option string) bool {
	key, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(option)), "=")
	key, _, _ = strings.Cut(key, " ")
	return slices.Contains([]string{"hostname", "proxyjump", "proxycommand", "localcommand"}, key)
}

// toLogin returns the destination for user@host or ssh://user@host:port/.
func toLogin(text string) []Sending {
	scheme, rest, whole := strings.Cut(text, "://")
	if whole && !strings.Contains(scheme, Hole) {
		text, _, _ = strings.Cut(rest, "/")
		if at := strings.LastIndexByte(text, ':'); at > strings.LastIndexByte(text, ']') {
			text = text[:at]
		}
	}
	return toHost(text)
}

// copyHosts returns the hosts in the host:path arguments of scp, rsync or rclone.
func copyHosts(name string, args []Word) (list []Sending) {
	eachOption(args, map[string]string{"scp": "cDFiJloPSX", "rsync": "eBTMf", "rclone": ""}[name], "--rsh --rsync-path --exclude --include --filter --exclude-from --include-from --files-from --bwlimit --timeout --port --temp-dir --backup-dir --suffix --compare-dest --copy-dest --link-dest --max-size --min-size --log-file --password-file --chmod --chown --config --transfers --block-size --contimeout --address --sockopts --out-format --modify-window --checksum-choice --compress-level --compress-choice --skip-compress --partial-dir --usermap --groupmap --max-delete --max-alloc --log-file-format --info --debug --protocol --iconv --write-batch --read-batch --only-write-batch --stop-at --stop-after --copy-as --remote-option --early-input --outbuf", func(option string, value Word) {
		switch {
		case option == "-J" && name == "scp":
			list = append(list, toLogin(value.Text)...)
		case option == "-o" && name == "scp" && redirects(value.Text):
			list = append(list, somewhere...)
		case option != "":
		case strings.Contains(value.Text, "://"):
			list = append(list, toLogin(value.Text)...)
		default:
			before, _, _ := strings.Cut(value.Text, Hole)
			host, _, remote := strings.Cut(before, ":")
			switch {
			case strings.Contains(host, "/") || strings.HasPrefix(host, "~") || strings.HasPrefix(before, ":local:"):
			case remote && host == "" && name == "rclone": // rclone accepts many forms of hosts after the colon, such as ":sftp,host=…"
				list = append(list, somewhere...)
			case remote:
				list = append(list, toHost(host)...)
			case strings.HasPrefix(value.Text, Hole) && (name == "scp" || strings.Contains(value.Text, ":")):
				list = append(list, somewhere...)
			}
		}
	})
	return list
}

func dialledValued(name string) string {
	switch name {
	case "telnet":
		return "XeklnbS"
	case "ncat":
		return "cdegGimopswx"
	}
	return "cegGiImMOopPqsTVwWxX"
}

// dialled determines the host and the proxy that nc or a similar program contacts.
func dialled(name string, args []Word) (list []Sending) {
	found, listens := false, false
	eachOption(args, dialledValued(name), "--proxy --proxy-type --proxy-auth --exec --sh-exec --source --source-port --wait --idle-timeout --delay --output --max-conns --allow --deny --lua-exec --hex-dump --allowfile --denyfile --proxy-dns --ssl-cert --ssl-key --ssl-trustfile --ssl-ciphers --ssl-servername --ssl-alpn", func(option string, value Word) {
		switch {
		case option == "-l" && name != "telnet" || option == "--listen" || option == "-U" || option == "--unixsock":
			listens = true
		case option == "--proxy" || option == "-x" && name != "telnet":
			host, _, _ := strings.Cut(value.Text, ":")
			list = append(list, toHost(host)...)
		case option == "" && !found:
			found = true
			if strings.Contains(value.Text, "://") {
				list = append(list, toLogin(value.Text)...)
				return
			}
			list = append(list, toHost(value.Text)...)
		}
	})
	if listens {
		return nil
	}
	return list
}

// socatHosts returns the hosts in the address arguments of socat.
func socatHosts(args []Word) (list []Sending) {
	for _, arg := range args {
		kind, rest, ok := strings.Cut(arg.Text, ":")
		kind = strings.ToUpper(kind)
		if !ok || strings.Contains(kind, "LISTEN") || strings.Contains(kind, "RECV") {
			continue
		}
		families := []string{"TCP", "UDP", "SCTP", "DCCP", "OPENSSL", "SSL", "SOCKS", "PROXY", "IP"}
		if slices.ContainsFunc(families, func(family string) bool { return strings.HasPrefix(kind, family) }) && kind != "IPC" {
			host, _, _ := strings.Cut(rest, ":")
			list = append(list, toHost(host)...)
		}
	}
	return list
}

func secured(args []Word) (list []Sending) {
	if len(args) == 0 || args[0].Text != "s_client" && args[0].Text != "s_time" && args[0].Text != "ocsp" {
		return nil
	}
	for n := range args[:len(args)-1] {
		switch strings.TrimLeft(args[n].Text, "-") {
		case "connect", "proxy", "host", "url":
			text := args[n+1].Text
			if !strings.Contains(text, "://") {
				text, _, _ = strings.Cut(text, ":")
			}
			list = append(list, toLogin(text)...)
		}
	}
	return list
}

// lookupHosts returns the servers that a program queries, and the names that it looks up. A name is
// included because its name servers see the query.
func lookupHosts(name string, args []Word) (list []Sending) {
	asks := map[string]string{"getent": "hosts", "resolvectl": "query"}[name]
	if asks != "" && (len(args) == 0 || !strings.Contains(args[0].Text, asks)) {
		return nil
	}
	valued := map[string]string{"host": "cmNpRtW", "dig": "bcfkpqtxy", "ping": "cFIilmMNpQsStTwW", "ping6": "cFIilmMNpQsStTwW", "traceroute": "fgilmMNOpqstwz", "mtr": "FBmsiGaIocfPQUZ", "whois": "hpgiqstTv", "tracepath": "mlp"}[name]
	eachOption(args, valued, "", func(option string, value Word) {
		switch {
		case option == "-f" && name == "dig":
			list = append(list, somewhere...)
		case (option == "-q" || option == "-x") && name == "dig" || option == "-h" && name == "whois":
			list = append(list, toHost(value.Text)...)
		case option != "":
		case strings.Contains(value.Text, Hole):
			list = append(list, somewhere...)
		case strings.HasPrefix(value.Text, "@"), strings.Contains(value.Text, ".") && !strings.HasPrefix(value.Text, "+"):
			list = append(list, toHost(strings.TrimSuffix(strings.TrimPrefix(value.Text, "@"), "."))...)
		}
	})
	return list
}

// databaseHosts returns the hosts that a database client contacts.
func databaseHosts(args []Word) []Sending {
	list := hostsInURLs(args)
	for n := range args {
		for _, option := range []string{"-h", "--host"} {
			value, _ := optionValue(args, n, option)
			list = append(list, toHost(value.Text)...)
		}
		list = append(list, databaseSettingHosts(args[n].Text)...)
	}
	return list
}

// databaseSettingHosts returns the hosts in a database's connection settings, such as
// "dbname=x host=… user=me".
func databaseSettingHosts(settings string) (list []Sending) {
	fields := strings.Fields(settings)
	if slices.ContainsFunc(fields, func(field string) bool { return !strings.Contains(field, "=") }) {
		return nil
	}
	for _, field := range fields {
		if key, host, _ := strings.Cut(field, "="); key == "host" || key == "hostaddr" {
			list = append(list, toHost(host)...)
		}
	}
	return list
}
