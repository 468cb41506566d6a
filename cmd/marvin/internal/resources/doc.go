// Package resources sets how much memory and how many open files the process uses.
package resources
