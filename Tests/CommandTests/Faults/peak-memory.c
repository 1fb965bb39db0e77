// Runs a program and writes the most memory that it held, in KiB, into a file:
//
//     peak-memory FILE PROGRAM ARGUMENT…
//
// The number that the system keeps begins with what the process held before the program was started in it. A test runner
// holds much, and this program little.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count < 3) return 64;
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execv(arguments[2], arguments + 2);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 70;
    FILE *file = fopen(arguments[1], "w");
    if (!file) return 73;
    fprintf(file, "%ld", usage.ru_maxrss);
    fclose(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
